/** The example of the format description, with the seal that its rules give. */
export const v3Sample = `{
  "version": 3,
  "test": { "file": "refund.test.ts", "name": "refund agent > late order" },
  "id": "run_7f3a",
  "createdAt": 1764460800000,
  "steps": [
    { "type": "model_input",
      "payload": {
        "model": "gpt-5",
        "systemPrompt": { "$lines": [
          "You are the refund agent.",
          "Refund only late orders."
        ] },
        "tools": [{ "name": "lookup", "description": "Looks an order up." }],
        "messages": [{ "role": "user", "content": "Where is A-77?" }]
      },
      "sum": "bb78b5a66e364f1c" },
    { "type": "model_output",
      "payload": {
        "type": "tool_calls",
        "calls": [{ "toolCallId": "call-0", "toolName": "lookup", "toolInput": { "id": "A-77" } }]
      },
      "sum": "97c8d44250c533b2" },
    { "type": "tool_call", "payload": { "$call": "call-0" }, "sum": "4a44a1a80ea29f92" },
    { "type": "tool_result",
      "payload": { "toolCallId": "call-0", "toolName": "lookup", "result": "late, 20 €" },
      "sum": "b2b48b2337567290" },
    { "type": "model_input", "since": 0,
      "payload": {
        "messages": [
          { "$keep": [0, 1] },
          { "role": "assistant", "content": [{ "$call": "call-0" }] },
          { "role": "user", "content": [{ "$result": "call-0" }] }
        ]
      },
      "sum": "ffc16af5fad9cd77" }
  ],
  "at": [12, 830, 831, 840, 841],
  "extras": [
    { "step": 1, "tokens": { "input": 312, "output": 18 } }
  ],
  "seal": "ccabb4d13a6967102f4d18715861cdc80d316ee855a311c34f6061019f94d5b9"
}
`
