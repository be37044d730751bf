/** What messages are made of. Given by who shows them, since most expectations hold and print nothing. */
export type Renderers = Pick<typeof import('../index.ts'), 'createStyle' | 'renderConversation' | 'renderTraceDiff'>
