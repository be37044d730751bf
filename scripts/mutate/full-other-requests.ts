import type { WireRequest } from '@retake/providers'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk'
const parameters = {
  type: 'object',
  properties: { id: { type: 'string', description: 'The id.', enum: ['a', 'b'] } },
  required: ['id'],
}

export const fullResponses: WireRequest = {
  url: 'https://api.openai.com/v1/responses',
  headers: {},
  body: {
    model: 'gpt-5',
    instructions: 'Be brief.',
    input: [
      { role: 'developer', content: 'Refund late orders only.' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'What is on these?', prompt_cache_breakpoint: { mode: 'explicit' } },
          { type: 'input_image', image_url: 'https://example.com/cat.png', detail: 'high' },
          { type: 'input_image', image_url: `data:image/png;base64,${png}`, detail: 'auto' },
          { type: 'input_image', file_id: 'file-8' },
          { type: 'input_file', file_data: `data:application/pdf;base64,${png}`, filename: 'bill.pdf' },
          { type: 'input_file', file_id: 'file-9' },
          { type: 'input_file', file_url: 'https://example.com/bill.pdf' },
          { type: 'input_audio', input_audio: { data: png, format: 'wav' } },
        ],
      },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'gAAA' },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'I look.', annotations: [], logprobs: [] }],
      },
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'lookup', arguments: '{"id":"a"}' },
      { type: 'function_call', call_id: 'call_2', name: 'find', namespace: 'crm', arguments: '{ "id": "b" }' },
      { type: 'custom_tool_call', call_id: 'call_3', name: 'shell', input: 'ls -l' },
      { type: 'function_call_output', call_id: 'call_1', output: 'late' },
      {
        type: 'function_call_output',
        call_id: 'call_2',
        output: [
          { type: 'input_text', text: 'A picture:' },
          { type: 'input_image', image_url: `data:image/png;base64,${png}` },
        ],
      },
      { type: 'custom_tool_call_output', call_id: 'call_3', output: 'a.txt' },
      { role: 'system', content: 'Be polite.' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'I will not.' }] },
      { role: 'user', content: 'Go on.' },
    ],
    tools: [
      { type: 'function', name: 'lookup', description: 'Looks up.', parameters, strict: true, async: true },
      { type: 'function', name: 'ask', parameters, defer_loading: true, output_schema: { type: 'string' } },
      {
        type: 'custom',
        name: 'shell',
        description: 'Runs it.',
        format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' },
      },
      {
        type: 'namespace',
        name: 'crm',
        description: 'Customers.',
        tools: [{ type: 'function', name: 'find', description: 'Finds one.', parameters }],
      },
    ],
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'lookup' }] },
    parallel_tool_calls: false,
    max_output_tokens: 100,
    max_tool_calls: 3,
    temperature: 0.2,
    top_p: 0.9,
    truncation: 'auto',
    text: {
      verbosity: 'low',
      format: { type: 'json_schema', name: 'answer', description: 'The answer.', schema: parameters, strict: true },
    },
    reasoning: { effort: 'low', summary: 'auto', context: 'all_turns', mode: 'standard' },
    context_management: [{ type: 'compaction', compact_threshold: 9000 }],
    prompt: { id: 'pmpt_1', version: '2', variables: { city: 'Berlin' } },
    access_programs: { trusted: true },
    include: ['reasoning.encrypted_content', 'message.input_image.image_url'],
    top_logprobs: 0,
    stream: true,
    stream_options: { include_obfuscation: false },
    metadata: { run: '1' },
    user: 'u-1',
    safety_identifier: 's-1',
    service_tier: 'flex',
    store: true,
    prompt_cache_key: 'k',
    prompt_cache_options: { mode: 'explicit' },
    prompt_cache_retention: '24h',
  },
}

export const fullGenerateContent: WireRequest = {
  url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:generateContent',
  headers: {},
  body: {
    systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }, { text: 'Refund late orders only.' }] },
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'What is on these?' },
          { inlineData: { mimeType: 'image/png', data: png }, mediaResolution: { level: 'MEDIA_RESOLUTION_HIGH' } },
          { fileData: { mimeType: 'video/mp4', fileUri: 'https://example.com/a.mp4' }, videoMetadata: { fps: 2 } },
        ],
      },
      {
        role: 'model',
        parts: [
          { text: 'Let me see.', thought: true, thoughtSignature: 'c2ln' },
          { text: 'I look.' },
          { functionCall: { id: 'call_1', name: 'lookup', args: { id: 'a', deep: [1, { on: true }] } } },
          { functionCall: { id: 'call_2', name: 'lookup', args: { id: 'b' } }, thoughtSignature: 'c2ln' },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'call_1', name: 'lookup', response: { output: 'late' } } },
          {
            functionResponse: {
              id: 'call_2',
              name: 'lookup',
              response: { error: 'no such' },
              scheduling: 'WHEN_IDLE',
              willContinue: false,
            },
          },
        ],
      },
      { role: 'model', parts: [{ text: 'It is late.' }] },
      { role: 'user', parts: [{ text: 'Go on.' }] },
    ],
    tools: [
      {
        functionDeclarations: [
          {
            name: 'lookup',
            description: 'Looks up.',
            parameters: { type: 'object', properties: { id: { type: 'string' } } },
          },
          { name: 'ask', parametersJsonSchema: parameters, behavior: 'NON_BLOCKING', responseJsonSchema: parameters },
          { name: 'note' },
        ],
      },
    ],
    toolConfig: {
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['lookup'] },
      retrievalConfig: { languageCode: 'en' },
    },
    safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
    generationConfig: {
      maxOutputTokens: 100,
      temperature: 0.2,
      topP: 0.9,
      topK: 40,
      stopSequences: ['END', 'STOP'],
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.3,
      responseMimeType: 'application/json',
      responseSchema: { type: 'object', properties: { id: { type: 'string' } } },
      thinkingConfig: { includeThoughts: true, thinkingBudget: 100 },
      mediaResolution: 'MEDIA_RESOLUTION_LOW',
      routingConfig: { autoMode: { modelRoutingPreference: 'BALANCED' } },
      enableEnhancedCivicAnswers: true,
    },
    modelArmorConfig: { promptTemplateName: 'strict' },
    labels: { team: 'x' },
    serviceTier: 'flex',
    store: true,
  },
}

export const fullOllamaChat: WireRequest = {
  url: 'http://localhost:11434/api/chat',
  headers: {},
  body: {
    model: 'llama3.2',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is on this?', images: [png] },
      {
        role: 'assistant',
        content: 'I look.',
        thinking: 'Hm.',
        tool_calls: [{ id: 'call_1', function: { index: 0, name: 'lookup', arguments: { id: 'a', deep: [1] } } }],
      },
      { role: 'tool', tool_name: 'lookup', tool_call_id: 'call_1', content: 'late' },
      { role: 'user', content: 'Go on.' },
    ],
    tools: [
      { type: 'function', function: { name: 'lookup', description: 'Looks up.', parameters } },
      { type: 'function', function: { name: 'note' } },
    ],
    format: parameters,
    think: true,
    options: { temperature: 0.2, top_p: 0.9, top_k: 40, seed: 7, stop: ['END', 'STOP'], num_ctx: 2048, num_predict: 9 },
    truncate: false,
    stream: true,
    keep_alive: '5m',
  },
}
