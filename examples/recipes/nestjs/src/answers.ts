import { Controller, Get, Param } from '@nestjs/common';
import { traced } from 'spoor';
import { Library } from './library';

@Controller('answers')
export class Answers {
  constructor(private readonly library: Library) {}

  // Nest reads what its decorators leave at the method: below it they leave it at the bare one.
  @Get(':topic')
  @traced
  async answer(@Param('topic') topic: string): Promise<string> {
    return (await this.library.search(topic)).join();
  }
}
