export interface Place {
  readonly url: string;
  readonly project: string;
}

/** One way to send a first trace: its steps can be copied as they stand. */
export interface Way {
  readonly name: string;
  readonly steps: (place: Place) => readonly string[];
  readonly note: string;
}

/** The service that runs for the state folder writes its key there; a shell fills in the rest. */
const TAKE_KEY = `export SPOOR_API_KEY=$(node -p "require('\${SPOOR_HOME:-$HOME/.spoor}/server.json').apiKey")`;

export const WAYS: readonly [Way, ...Way[]] = [
  {
    name: 'TypeScript',
    steps: () => [
      'npm install spoor',
      `import { traced } from 'spoor';

const answer = traced(async function answer(question: string) {
  return \`You asked: \${question}\`;
});
await answer('Where is my parcel?');`,
      'npx spoor run -- npx tsx app.mts',
    ],
    // `npm init -y` makes a package of CommonJS, where only a file that is named as a module may await at its top.
    note: 'Save step 2 as app.mts. Calls of OpenAI, Anthropic and the AI SDK are recorded by themselves; no key is needed on this machine.',
  },
  {
    name: 'OpenTelemetry',
    steps: ({ url, project }) => [
      TAKE_KEY,
      `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${url}/otel/v1/traces
export OTEL_EXPORTER_OTLP_TRACES_HEADERS="authorization=Bearer%20$SPOOR_API_KEY,project_id=${project}"`,
      'node --import @opentelemetry/auto-instrumentations-node/register app.js',
    ],
    note: 'Any language: Python, Go, Java. Spans with the attributes of GenAI or OpenInference become calls of models.',
  },
  {
    name: 'curl',
    steps: ({ url, project }) => [
      TAKE_KEY,
      // The list shows the last day, so that the call has to begin now.
      `curl ${url}/call/start -u "api:$SPOOR_API_KEY" -H 'content-type: application/json' -d '${JSON.stringify({
        start: {
          project_id: project,
          op_name: 'answer',
          started_at: "'$(date -u +%Y-%m-%dT%H:%M:%SZ)'",
          attributes: {},
          inputs: { question: 'Where is my parcel?' },
        },
      })}'`,
    ],
    note: 'The answer holds the id of the call; /call/end ends it.',
  },
];
