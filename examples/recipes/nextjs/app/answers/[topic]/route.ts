import { traced } from 'spoor';

export const dynamic = 'force-dynamic';

// The build takes names of functions away.
const search = traced(async (topic: string) => [`a page on ${topic}`], { name: 'search' });
const answer = traced(async (topic: string) => (await search(topic)).join(), { name: 'answer' });

export async function GET(_request: Request, { params }: { params: Promise<{ topic: string }> }): Promise<Response> {
  return new Response(await answer((await params).topic));
}
