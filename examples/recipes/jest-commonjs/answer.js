const { traced } = require('spoor');

const search = traced(function search(topic) {
  return [`a page on ${topic}`];
});

exports.answer = traced(async function answer(question) {
  return search(question).join();
});
