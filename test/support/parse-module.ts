import ts from 'typescript'

/** What one source file reaches at run time. Imports of types only are left out: nothing is loaded for them. */
export interface ModuleFacts {
  /** Specifiers as written: imports, re-exports, `import()` and `require()`. */
  imports: string[]
  /** Those of them that are loaded with the file: imports and re-exports. */
  atOnce: string[]
  /** Ways out that no import shows: network globals used as values, and loading code that cannot be read off the text. */
  hidden: string[]
}

const networkGlobals = new Set(['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
const globalObjects = new Set(['globalThis', 'global', 'self', 'window'])

/** Reads the imports of JavaScript or TypeScript. */
export const parseModule = (text: string, path: string): ModuleFacts => {
  const facts: ModuleFacts = { imports: [], atOnce: [], hidden: [] }
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return
    readDeclaration(node, facts)
    if (ts.isCallExpression(node)) readCall(node, facts)
    if (ts.isIdentifier(node) && networkGlobals.has(node.text) && isValue(node)) facts.hidden.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return facts
}

const readDeclaration = (node: ts.Node, { imports, atOnce }: ModuleFacts): void => {
  const isImport = ts.isImportDeclaration(node) && node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword
  const isExport = ts.isExportDeclaration(node) && !node.isTypeOnly
  if (!(isImport || isExport) || !node.moduleSpecifier) return
  const { text } = node.moduleSpecifier as ts.StringLiteral
  imports.push(text)
  atOnce.push(text)
}

const readCall = (node: ts.CallExpression, facts: ModuleFacts): void => {
  const called = node.expression
  const isImport = called.kind === ts.SyntaxKind.ImportKeyword
  const isRequire = ts.isIdentifier(called) && called.text === 'require'
  const [argument] = node.arguments
  if ((isImport || isRequire) && argument && ts.isStringLiteralLike(argument)) facts.imports.push(argument.text)
  else if (isImport || isRequire) facts.hidden.push(`${isImport ? 'import' : 'require'}(…) of a computed name`)
  if (ts.isPropertyAccessExpression(called) && called.name.text === 'getBuiltinModule') {
    facts.hidden.push('process.getBuiltinModule')
  }
}

/** True where the name is the global, or a member of the global object, and is not only being named. */
const isValue = (node: ts.Identifier): boolean => {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    return ts.isIdentifier(parent.expression) && globalObjects.has(parent.expression.text)
  }
  const named =
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isMethodSignature(parent)
  return !(named && parent.name === node)
}
