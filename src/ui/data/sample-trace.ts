import { ask } from './ask.ts';

/** Sends a small trace, as a program would: a question, a search, an answer of a model. */
export async function sendSample(projectId: string): Promise<void> {
  const began = Date.now() - 1400;
  const root = await begin(projectId, 'answer_question', began, {
    inputs: { question: 'Where is my parcel?' },
    attributes: { kind: 'agent' },
  });
  const search = await begin(projectId, 'search_docs', began + 40, {
    inputs: { query: 'parcel delivery time' },
    attributes: { kind: 'retriever' },
    parent: root,
  });
  await end(projectId, search.id, began + 260, { passages: ['Parcels take three to five days.'] });
  const model = await begin(projectId, 'chat', began + 280, {
    inputs: { model: 'sample-model', messages: [{ role: 'user', content: 'Where is my parcel?' }] },
    attributes: { kind: 'llm' },
    parent: root,
  });
  const answer = 'Parcels take three to five days. Yours left the warehouse yesterday.';
  await end(projectId, model.id, began + 1340, { role: 'assistant', content: answer }, SAMPLE_USAGE);
  await end(projectId, root.id, began + 1400, answer);
}

const SAMPLE_USAGE = { usage: { 'sample-model': { requests: 1, input_tokens: 38, output_tokens: 21 } } };

interface Begun {
  readonly id: string;
  readonly trace_id: string;
}

interface Beginning {
  readonly inputs: object;
  readonly attributes: object;
  readonly parent?: Begun;
}

function begin(projectId: string, op: string, at: number, { inputs, attributes, parent }: Beginning): Promise<Begun> {
  return ask<Begun>('/x/api/call/start', {
    start: {
      project_id: projectId,
      op_name: op,
      started_at: new Date(at).toISOString(),
      attributes,
      inputs,
      ...(parent && { parent_id: parent.id, trace_id: parent.trace_id }),
    },
  });
}

function end(projectId: string, id: string, at: number, output: unknown, summary: object = {}): Promise<unknown> {
  return ask('/x/api/call/end', {
    end: { project_id: projectId, id, ended_at: new Date(at).toISOString(), output, summary },
  });
}
