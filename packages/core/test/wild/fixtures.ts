// Answers of the shapes that real servers send. Each body stands in a file of its own, written by hand after the
// public report or document that is named with it: no recording, and nothing of it made by our own code. What must
// come of it is written here by hand too.
import type { Turn, TurnPiece } from '../../src/define/records.ts'

export interface Fixture {
  file: string
  /** The server that sends such answers. */
  server: string
  /** The public report or document that the particular shape comes from; it may be of a neighbour of that server. */
  source: string
  /** What is particular about it. */
  shows: string
  /** The tools on offer [get_weather, add, list_notes, send_mail]. */
  tools?: string[]
  /** What is shown, in order. An input piece is [its text, the number of its call, the tool]. */
  pieces: TurnPiece[]
  /** The turn that comes of it, less the fields that are empty. */
  turn?: Partial<Turn>
  /** The failure that comes of it: its code, words that its message holds, and whether it is worth another try. */
  fails?: { code: string; words: string; again?: boolean }
}

const text = (part: string): TurnPiece => ({ kind: 'text', text: part })
const reasoning = (part: string): TurnPiece => ({ kind: 'reasoning', text: part })
const input = (part: string, index: number, tool: string): TurnPiece => ({
  kind: 'input',
  text: part,
  index,
  tool,
})

/** Stands in the last entry of `details` for the endpoint that is asked. */
export const BY = 'here'
const echo = (kept: object) => ({ type: 'toolwright.echo', by: BY, ...kept })

export const fixtures: Fixture[] = [
  {
    file: 'openai-text.sse',
    server: 'OpenAI',
    source: 'https://platform.openai.com/docs/api-reference/chat/streaming',
    shows: 'text, the usage in a last chunk without choices',
    pieces: [text('Grüß'), text(' Gott 你好 🙂')],
    turn: { text: 'Grüß Gott 你好 🙂', tokens: 10, input: 19, cached: 0, reasoned: 0 },
  },
  {
    file: 'openai-parallel.sse',
    server: 'OpenAI',
    source: 'https://platform.openai.com/docs/guides/function-calling',
    shows: 'two calls, told apart by their index',
    pieces: [
      input('{"ci', 0, 'get_weather'),
      input('ty":"Köln"}', 0, 'get_weather'),
      input('{"city":"北京"}', 1, 'get_weather'),
    ],
    turn: {
      calls: [
        { id: 'call_DdmO9pD3xa9XTPNJ32zg2hcA', tool: 'get_weather', arguments: '{"city":"Köln"}' },
        { id: 'call_vKbRe3hn9r8Tn2UgLyJnSXhN', tool: 'get_weather', arguments: '{"city":"北京"}' },
      ],
      tokens: 40,
      input: 85,
    },
  },
  {
    file: 'openai-refusal.sse',
    server: 'OpenAI',
    source: 'https://platform.openai.com/docs/guides/structured-outputs',
    shows: 'a refusal in a field of its own: it is what the model says',
    pieces: [text("I'm sorry, "), text("I can't help with that.")],
    turn: { text: "I'm sorry, I can't help with that." },
  },
  {
    file: 'openai-legacy-function-call.sse',
    server: 'OpenAI (before tool_calls)',
    source: 'https://platform.openai.com/docs/api-reference/chat/streaming',
    shows: 'function_call: a call without id and index',
    pieces: [input('{"city":', 0, 'get_weather'), input(' "Oslo"}', 0, 'get_weather')],
    turn: { calls: [{ id: 'call_0', tool: 'get_weather', arguments: '{"city": "Oslo"}' }] },
  },
  {
    file: 'azure-filter-first.sse',
    server: 'Azure OpenAI',
    source: 'https://github.com/Portkey-AI/gateway/pull/1629',
    shows: 'a first chunk without choices, a last one without delta, stopped by the content filter',
    pieces: [text('The recipe')],
    turn: { text: 'The recipe', cut: 'filter' },
  },
  {
    file: 'openrouter-reasoning.sse',
    server: 'OpenRouter',
    source: 'https://github.com/earendil-works/pi/issues/989',
    shows: 'comments; reasoning twice; details of two types, one in fragments; a cost',
    pieces: [reasoning('The user'), reasoning(' asks for rain.'), input('{"city": "Ulm"}', 0, 'get_weather')],
    turn: {
      reasoning: 'The user asks for rain.',
      calls: [{ id: 'toolu_01A09q90qw90lq917835lq9', tool: 'get_weather', arguments: '{"city": "Ulm"}' }],
      details: [
        {
          type: 'reasoning.text',
          text: 'The user asks for rain.',
          format: 'anthropic-claude-v1',
          index: 0,
          signature: 'EqMDCkYIBRgCKkCz',
        },
        {
          type: 'reasoning.encrypted',
          data: 'gAAAAABo',
          id: 'rs_07',
          format: 'openai-responses-v1',
          index: 1,
        },
        echo({ lists: { reasoning_details: 2 }, keys: { reasoning: true } }),
      ],
      tokens: 96,
      input: 420,
      cached: 0,
      reasoned: 31,
      cost: 0.0027,
    },
  },
  {
    file: 'openrouter-error-midstream.sse',
    server: 'OpenRouter',
    source: 'https://openrouter.ai/docs/api-reference/streaming',
    shows: 'an error in the middle of a stream, after text',
    pieces: [text('It ')],
    fails: { code: 'T3009', words: 'Provider disconnected unexpectedly', again: true },
  },
  {
    file: 'openrouter-error.body',
    server: 'OpenRouter',
    source: 'https://github.com/ENTERPILOT/GoModel/pull/827',
    shows: 'an error as JSON with status 200',
    pieces: [],
    fails: { code: 'T3009', words: 'temporarily rate-limited upstream', again: true },
  },
  {
    file: 'deepseek-thinking-tool.sse',
    server: 'DeepSeek',
    source: 'https://github.com/langchain-ai/langchain/issues/34166',
    shows: 'reasoning_content, then text, then a call; a keep-alive comment',
    pieces: [
      reasoning('先查'),
      reasoning('天气。'),
      text('I look it up.'),
      input('{"city": "杭州"}', 0, 'get_weather'),
    ],
    turn: {
      text: 'I look it up.',
      reasoning: '先查天气。',
      calls: [{ id: 'call_00_rRDH', tool: 'get_weather', arguments: '{"city": "杭州"}' }],
      details: [echo({ keys: { reasoning_content: true } })],
      tokens: 57,
      input: 331,
      cached: 320,
      reasoned: 12,
    },
  },
  {
    file: 'groq-reasoning.sse',
    server: 'Groq',
    source: 'https://console.groq.com/docs/reasoning',
    shows: 'reasoning, and the usage inside x_groq',
    pieces: [reasoning('Simple.'), text('42')],
    turn: {
      text: '42',
      reasoning: 'Simple.',
      details: [echo({ keys: { reasoning: true } })],
      tokens: 21,
      input: 75,
    },
  },
  {
    file: 'gemini-signature.sse',
    server: "Gemini's OpenAI-compatible endpoint",
    source: 'https://ai.google.dev/gemini-api/docs/thought-signatures',
    shows:
      'no index, a signature on the first call only, finish_reason stop, thoughts only in the total of tokens',
    pieces: [input('{"city":"Paris"}', 0, 'get_weather'), input('{"city":"Rom"}', 1, 'get_weather')],
    turn: {
      calls: [
        {
          id: 'function-call-1',
          tool: 'get_weather',
          arguments: '{"city":"Paris"}',
          extra: { extra_content: { google: { thought_signature: 'CvkBAR/Y9T0=' } } },
        },
        { id: 'function-call-2', tool: 'get_weather', arguments: '{"city":"Rom"}' },
      ],
      details: [echo({})],
      tokens: 130,
      input: 90,
    },
  },
  {
    file: 'moonshot-usage-in-choice.sse',
    server: 'Moonshot (Kimi)',
    source: 'https://platform.moonshot.ai/docs/api/chat',
    shows: 'the usage inside the last choice',
    pieces: [text('Guten'), text(' Tag 早')],
    turn: { text: 'Guten Tag 早', tokens: 13, input: 19, cached: 10 },
  },
  {
    file: 'gemini-no-index.sse',
    server: "Gemini's OpenAI-compatible endpoint",
    source: 'https://github.com/openai/openai-python/pull/3246',
    shows: 'one call in fragments that say nothing of the call they belong to',
    pieces: [input('{"city":', 0, 'get_weather'), input('"Rom"}', 0, 'get_weather')],
    turn: { calls: [{ id: 'call_g1', tool: 'get_weather', arguments: '{"city":"Rom"}' }] },
  },
  {
    file: 'anthropic-compatible.sse',
    server: "Anthropic's OpenAI-compatible endpoint",
    source: 'https://docs.anthropic.com/en/api/openai-sdk',
    shows: 'text before a call, arguments that never come',
    pieces: [text("I'll check.")],
    turn: {
      text: "I'll check.",
      calls: [{ id: 'toolu_01D7', tool: 'list_notes', arguments: '{}' }],
      tokens: 44,
      input: 480,
    },
  },
  {
    file: 'ollama-index-zero.sse',
    server: 'Ollama',
    source: 'https://github.com/ollama/ollama/issues/15457',
    shows: 'index 0 for each of two calls, finish_reason stop',
    pieces: [input('{"city":"Bonn"}', 0, 'get_weather'), input('{"a":1,"b":2}', 1, 'add')],
    turn: {
      calls: [
        { id: 'call_8mf1', tool: 'get_weather', arguments: '{"city":"Bonn"}' },
        { id: 'call_x2v9', tool: 'add', arguments: '{"a":1,"b":2}' },
      ],
    },
  },
  {
    file: 'ollama-no-ids.sse',
    server: 'Ollama (old)',
    source: 'https://github.com/ollama/ollama/issues/7881',
    shows: 'two calls of one tool, with neither index nor id',
    pieces: [input('{"city":"Ulm"}', 0, 'get_weather'), input('{"city":"Jena"}', 1, 'get_weather')],
    turn: {
      calls: [
        { id: 'call_0', tool: 'get_weather', arguments: '{"city":"Ulm"}' },
        { id: 'call_1', tool: 'get_weather', arguments: '{"city":"Jena"}' },
      ],
    },
  },
  {
    file: 'vllm-think-tags.sse',
    server: 'vLLM without a reasoning parser',
    source: 'https://docs.vllm.ai/en/latest/features/reasoning_outputs.html',
    shows: 'think tags at the start of the content, cut anywhere; a later tag is text',
    pieces: [reasoning('Ok'), reasoning('ay, if a<b.'), text('Use <think> tags.')],
    turn: {
      text: 'Use <think> tags.',
      reasoning: 'Okay, if a<b.',
      details: [echo({ think: ['<think>\n', '\n</think>\n\n'] })],
    },
  },
  {
    file: 'vllm-cumulative-usage.sse',
    server: 'vLLM with continuous_usage_stats',
    source: 'https://github.com/BerriAI/litellm/pull/8751',
    shows: 'usage on each chunk, cumulative',
    pieces: [text('Hi'), text(' there')],
    turn: { text: 'Hi there', tokens: 2, input: 11 },
  },
  {
    file: 'vllm-cut-by-length.sse',
    server: 'vLLM',
    source: 'https://github.com/vllm-project/vllm/pull/46303',
    shows: 'the output limit inside of a call',
    pieces: [input('{"to": "a@example.org",', 0, 'send_mail'), input(' "body": "Dear', 0, 'send_mail')],
    turn: {
      calls: [
        {
          id: 'chatcmpl-tool-1',
          tool: 'send_mail',
          arguments: '{"to": "a@example.org", "body": "Dear',
          cut: true,
        },
      ],
      cut: 'length',
    },
  },
  {
    file: 'llamacpp-object-arguments.sse',
    server: 'llama.cpp',
    source: 'https://github.com/ggml-org/llama.cpp/issues/20198',
    shows: 'arguments as an object in a delta',
    pieces: [input('{"city":"Łódź"}', 0, 'get_weather')],
    turn: {
      calls: [{ id: 'Xq3', tool: 'get_weather', arguments: '{"city":"Łódź"}' }],
      tokens: 20,
      input: 160,
    },
  },
  {
    file: 'llamacpp-object-arguments.body',
    server: 'llama.cpp',
    source: 'https://github.com/ggml-org/llama.cpp/issues/20198',
    shows: 'a whole answer to a stream request, with arguments as an object and an empty id',
    pieces: [reasoning('Weather, then.'), input('{"city":"Łódź"}', 0, 'get_weather')],
    turn: {
      reasoning: 'Weather, then.',
      calls: [{ id: 'call_0', tool: 'get_weather', arguments: '{"city":"Łódź"}' }],
      details: [echo({ keys: { reasoning_content: true } })],
      tokens: 20,
      input: 160,
    },
  },
  {
    file: 'sglang-crlf.sse',
    server: 'SGLang',
    source: 'https://github.com/withastro/flue/issues/216',
    shows: 'lines that end with CRLF, and a null for each field that is not there',
    pieces: [reasoning('hm'), input('{"a": 1, "b": 2}', 0, 'add')],
    turn: {
      reasoning: 'hm',
      calls: [{ id: 'call_7d', tool: 'add', arguments: '{"a": 1, "b": 2}' }],
      details: [echo({ keys: { reasoning_content: true } })],
      tokens: 31,
      input: 200,
    },
  },
  {
    file: 'lmstudio-error.sse',
    server: 'LM Studio',
    source: 'https://github.com/ENTERPILOT/GoModel/pull/827',
    shows: 'an error as the only event',
    pieces: [],
    fails: { code: 'T3009', words: 'The model has crashed' },
  },
  {
    file: 'lmstudio-error.body',
    server: 'LM Studio',
    source: 'https://github.com/ENTERPILOT/GoModel/pull/827',
    shows: 'an error as a text, with status 200',
    pieces: [],
    fails: { code: 'T3009', words: 'Unexpected endpoint or method' },
  },
  {
    file: 'dashscope-empty-ids.sse',
    server: 'DashScope (GLM)',
    source: 'https://github.com/anomalyco/opencode/issues/37841',
    shows: 'id, type and name repeated as empty texts',
    pieces: [
      input('{"ci', 0, 'get_weather'),
      input('ty": "苏', 0, 'get_weather'),
      input('州"}', 0, 'get_weather'),
    ],
    turn: {
      calls: [{ id: 'call_6596dafa', tool: 'get_weather', arguments: '{"city": "苏州"}' }],
      tokens: 20,
      input: 283,
    },
  },
  {
    file: 'nim-repeated-name.sse',
    server: 'NVIDIA NIM (MiniMax)',
    source: 'https://github.com/NousResearch/hermes-agent/issues/8259',
    shows: 'the whole name and id in each chunk',
    pieces: [
      input('{"city"', 0, 'get_weather'),
      input(': "Pa', 0, 'get_weather'),
      input('ris"}', 0, 'get_weather'),
    ],
    turn: { calls: [{ id: 'call_function_1', tool: 'get_weather', arguments: '{"city": "Paris"}' }] },
  },
  {
    file: 'gateway-split-name.sse',
    server: 'Gemini behind a gateway',
    source: 'https://github.com/continuedev/continue/pull/5849',
    shows: 'a name in two halves',
    pieces: [input('{"city":"Kiel"}', 0, 'get_weather')],
    turn: { calls: [{ id: 'c1', tool: 'get_weather', arguments: '{"city":"Kiel"}' }] },
  },
  {
    file: 'gateway-mirrored-reasoning.sse',
    server: 'Kimi behind a gateway',
    source: 'https://github.com/MoonshotAI/kimi-code/issues/3928',
    shows: 'reasoning under two keys, then under one, then under two that differ',
    pieces: [
      reasoning('One'),
      reasoning(' two'),
      reasoning(' three'),
      reasoning(' four'),
      reasoning(' five'),
      text('Six.'),
    ],
    turn: {
      text: 'Six.',
      reasoning: 'One two three four five',
      details: [echo({ keys: { reasoning: true, reasoning_content: 'One two three FIVE' } })],
    },
  },
  {
    file: 'bedrock-blank-arguments.sse',
    server: 'Claude on Bedrock behind a gateway',
    source: 'https://github.com/openai/openai-agents-js/issues/664',
    shows: 'arguments that are empty, null or blank, and two finish chunks that disagree',
    pieces: [text('Listing.'), input(' \n', 2, 'list_notes')],
    turn: {
      text: 'Listing.',
      calls: [
        { id: 'tooluse_1', tool: 'list_notes', arguments: '{}' },
        { id: 'tooluse_2', tool: 'list_notes', arguments: '{}' },
        { id: 'tooluse_3', tool: 'list_notes', arguments: '{}' },
      ],
    },
  },
  {
    file: 'atom-usage-without-choices.sse',
    server: 'ROCm ATOM',
    source: 'https://github.com/ROCm/ATOM/pull/1711',
    shows: 'a usage chunk without the key choices, and a stream without its last empty line',
    pieces: [text('Ja.')],
    turn: { text: 'Ja.', tokens: 2, input: 5 },
  },
  {
    file: 'mistral-thinking.sse',
    server: 'Mistral (Magistral)',
    source: 'https://docs.mistral.ai/capabilities/reasoning/',
    shows: 'content as a list of parts, some of them thinking',
    pieces: [reasoning('Le père'), reasoning(' a 40 ans.'), text('40'), text(' ans')],
    turn: {
      text: '40 ans',
      reasoning: 'Le père a 40 ans.',
      details: [echo({ part: true })],
      tokens: 21,
      input: 9,
    },
  },
  {
    file: 'litellm-thinking-blocks.sse',
    server: 'LiteLLM (Claude)',
    source: 'https://github.com/strands-agents/harness-sdk/pull/2704',
    shows: 'a signature on a thought without any text',
    pieces: [input('{}', 0, 'list_notes')],
    turn: {
      calls: [{ id: 'toolu_9', tool: 'list_notes', arguments: '{}' }],
      details: [
        { type: 'thinking', thinking: '', signature: 'ErUBCkYI' },
        echo({ lists: { thinking_blocks: 1 }, keys: { reasoning_content: true } }),
      ],
    },
  },
  {
    file: 'gateway-not-streamed.body',
    server: 'a gateway that cannot stream',
    source: 'https://github.com/ENTERPILOT/GoModel/pull/827',
    shows: 'a whole answer to a stream request, behind empty lines, with think tags',
    pieces: [reasoning('short'), text('Nein.')],
    turn: {
      text: 'Nein.',
      reasoning: 'short',
      details: [echo({ think: ['<think>\n', '\n</think>\n\n'] })],
      tokens: 4,
      input: 3,
    },
  },
  {
    file: 'spa-page.body',
    server: 'a gateway that answers any path with its page',
    source: 'https://github.com/SigNoz/signoz/issues/12621',
    shows: 'a page with status 200',
    pieces: [],
    fails: { code: 'T3007', words: 'Sign in · Example gateway' },
  },
  {
    file: 'vllm-broke-off.sse',
    server: 'vLLM',
    source: 'https://github.com/vllm-project/vllm/pull/46303',
    shows: 'a stream that ends without a finish and without [DONE]',
    pieces: [text('The first half')],
    fails: { code: 'T3008', words: '', again: true },
  },
  {
    file: 'vllm-error-in-stream.sse',
    server: 'vLLM',
    source: 'https://github.com/ENTERPILOT/GoModel/pull/827',
    shows: 'an error with a code, and then [DONE]',
    pieces: [],
    fails: { code: 'T3009', words: 'EngineCore encountered an issue', again: true },
  },
  {
    file: 'empty.sse',
    server: 'any',
    source: 'https://github.com/ENTERPILOT/GoModel/pull/827',
    shows: 'a body without a byte',
    pieces: [],
    fails: { code: 'T3008', words: '', again: true },
  },
]
