import { layOut, type LayoutInput } from './trace-layout.ts';

interface Question {
  readonly input: LayoutInput;
  readonly now: number;
}

/** Within a thread the global object is its port; types of pages do not know that. */
const port = globalThis as unknown as {
  addEventListener(type: 'message', listen: (event: { readonly data: Question }) => void): void;
  postMessage(message: unknown, transfer: readonly ArrayBufferLike[]): void;
};

port.addEventListener('message', ({ data: { input, now } }) => {
  const layout = layOut(input, now);
  port.postMessage({ layout }, buffersOf(layout));
});

/** The memory of all columns: handed over, not copied. */
function buffersOf(value: object): ArrayBufferLike[] {
  if (ArrayBuffer.isView(value)) return [value.buffer];
  const members: unknown[] = Object.values(value);
  return members.flatMap((member) => (typeof member === 'object' && member !== null ? buffersOf(member) : []));
}
