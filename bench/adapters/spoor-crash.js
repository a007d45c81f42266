import { openWith } from './spoor.js';

/** As `spoor`, with each record on disk before it is sent. */
export const open = (service) => openWith(service, { durability: 'crash' });
