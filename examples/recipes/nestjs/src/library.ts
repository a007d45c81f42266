import { Injectable } from '@nestjs/common';
import { traced } from 'spoor';

@Injectable()
export class Library {
  @traced
  async search(topic: string): Promise<string[]> {
    return [`a page on ${topic}`];
  }
}
