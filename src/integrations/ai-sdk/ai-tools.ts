import { isObject } from '../../protocol/values/parsed-object.ts';
import { observe } from '../../tracing/instrument.ts';
import { coverWithCapture, type MethodCapture } from '../api/covered-method.ts';

export const TOOL_OP = { opName: 'ai.executeTool', kind: 'tool' } as const;

/** Records what tools do, by the names under which the model knows them. */
export function captureTools(tools: unknown): void {
  if (!isObject(tools)) return;
  for (const [name, tool] of Object.entries(tools)) {
    if (isObject(tool)) coverWithCapture(tool, 'execute', captureOf(name));
  }
}

function captureOf(name: string): MethodCapture {
  return {
    library: 'ai',
    opName: TOOL_OP.opName,
    describe: (_self, [input]) => ({
      inputs: isObject(input) ? input : { input },
      options: { kind: TOOL_OP.kind, attributes: { tool: name }, displayName: name },
    }),
    begin: (call, { args }) => ({ args, watch: (result) => observe(call, {}, result, false) }),
  };
}
