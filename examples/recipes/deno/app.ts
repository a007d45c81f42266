import { current, traced } from 'spoor';

const ask = traced(async function ask(question: string) {
  current().usage('my-model', { input: 12, output: 4 });
  return `You asked: ${question}`;
});

const answer = traced(async function answer(topic: string) {
  return ask(`What is ${topic}?`);
});

console.log(await answer('a spoor'));
