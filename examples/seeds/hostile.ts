import { type Plan, recordsOf, writeRecords } from './plan.ts';
import type { Seed } from './seed.ts';

const TRACE = '019a0000000070008000000000000005';

/** 198.51.100.1 is nobody's address. */
const HTML = `"><img src=//198.51.100.1 onerror=alert(1)><script>alert(1)</script><svg onload="alert(1)">`;
const MARKDOWN = `# A title <script>alert(1)</script>

[a link](javascript:alert(1)) ![an image](https://198.51.100.1/pixel.png) <iframe src="//198.51.100.1"></iframe>

<style>body { display: none }</style>
<a href="data:text/html,<script>alert(1)</script>">click</a> <b onmouseover="alert(1)">over</b>

| a | table |
|---|---|
| <math><mi xlink:href="javascript:alert(1)">m</mi></math> | \`code <script>\` |

\`\`\`html
<script>alert(1)</script>
\`\`\`
`;
const FORMULA = '=HYPERLINK("https://198.51.100.1","open")';

/** Text that would be more than text where it was shown or exported without care. */
export const HOSTILE: Seed = {
  about: 'HTML, markdown, formulas and control characters that would do something if they were not shown as text',
  write: async (reader, now) => {
    const root = {
      ...hostile(`run ${HTML}`, 0),
      exception: `Error: ${HTML}\n    at ${HTML} (javascript:alert(1):1:1)`,
      calls: [
        { ...hostile('answer_in_markdown', 10), kind: 'llm', ...chat(MARKDOWN) },
        { ...hostile('formula', 20), output: FORMULA },
        {
          ...hostile('controls', 30),
          output: 'bell \u0007, escape \u001b[31mred\u001b[0m, back \u202egnirts a\u202c, null \u0000',
        },
        { ...hostile('keys', 40), output: { [HTML]: HTML, __proto__x: 1, constructor: { prototype: HTML } } },
      ],
    };
    await writeRecords(reader, recordsOf(root, now - 3000, { traceId: TRACE, threadId: `thread ${HTML}` }));
    return `trace/${TRACE}`;
  },
};

function hostile(op: string, fromMs: number): Plan {
  return { op, kind: HTML, fromMs, ms: 400, inputs: { [HTML]: HTML }, output: HTML, attributes: { user: HTML } };
}

function chat(text: string): Pick<Plan, 'inputs' | 'output' | 'usage'> {
  return {
    inputs: { model: HTML, messages: [{ role: 'user', content: text }] },
    output: { choices: [{ index: 0, finish_reason: HTML, message: { role: 'assistant', content: text } }] },
    usage: { model: `model ${HTML}`, input: 10, output: 10 },
  };
}
