import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Answers } from './answers';
import { Library } from './library';

@Module({ controllers: [Answers], providers: [Library] })
class App {}

async function main(): Promise<void> {
  const app = await NestFactory.create(App, { logger: ['error'] });
  app.enableShutdownHooks();
  await app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
  console.log(`Listening on ${await app.getUrl()}`);
}

void main();
