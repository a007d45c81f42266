import { writePage } from './page.ts';

writePage();
