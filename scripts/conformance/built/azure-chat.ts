import { type Built, dataEvents } from './built.ts'
import { chunk, completion, done, messages } from './chat-shapes.ts'

const azureFilter = (hate: boolean, severity: string) => ({
  hate: { filtered: hate, severity },
  self_harm: { filtered: false, severity: 'safe' },
})

export const azureChat: Built[] = [
  {
    name: 'Azure: results of the filter of prompt and reply',
    source: 'https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter',
    path: '/openai/deployments/gpt/chat/completions?api-version=2025-04-01-preview',
    request: { messages },
    reply: completion(
      { content: 'Hi' },
      {
        prompt_filter_results: [
          {
            prompt_index: 0,
            content_filter_results: { ...azureFilter(false, 'safe'), jailbreak: { filtered: false, detected: true } },
          },
        ],
      },
      {
        content_filter_results: {
          ...azureFilter(false, 'low'),
          protected_material_text: { filtered: false, detected: false },
        },
      },
    ),
  },
  {
    name: 'Azure: asynchronous filter, whose results come category by category',
    source: 'https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-streaming',
    path: '/openai/deployments/gpt/chat/completions?api-version=2025-04-01-preview',
    request: { messages, stream: true },
    reply: dataEvents(
      [
        {
          id: '',
          object: '',
          created: 0,
          model: '',
          prompt_filter_results: [{ prompt_index: 0, content_filter_results: azureFilter(false, 'safe') }],
          choices: [],
        },
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'Hello' }),
        {
          id: '',
          object: '',
          created: 0,
          model: '',
          choices: [
            {
              index: 0,
              finish_reason: null,
              content_filter_offsets: { check_offset: 44, start_offset: 44, end_offset: 198 },
              content_filter_results: { hate: { filtered: true, severity: 'high' } },
            },
          ],
        },
        {
          id: '',
          object: '',
          created: 0,
          model: '',
          choices: [
            {
              index: 0,
              finish_reason: 'content_filter',
              content_filter_offsets: { check_offset: 198, start_offset: 44, end_offset: 571 },
              content_filter_results: {
                protected_material_code: {
                  filtered: false,
                  detected: true,
                  citation: { URL: 'https://x.com', license: 'MIT' },
                },
              },
            },
          ],
        },
      ],
      done,
    ),
  },
]
