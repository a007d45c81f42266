/** The body of an answer, part by part as it comes. Not every browser walks through a stream by itself. */
export async function* partsOf(answer: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = answer.body?.getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) yield part.value;
}
