import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Delivery, type DeliveryOptions } from '../../src/delivery/delivery.ts';
import { HttpTransport } from '../../src/delivery/http-transport.ts';
import type { ProblemKind } from '../../src/delivery/problem.ts';
import type { TransportTarget } from '../../src/delivery/transport.ts';
import { listSegments } from '../../src/spool/left-overs.ts';
import { end, start } from './call-records.ts';
import { RecordingService, respond } from './recording-service.ts';

let home: string;
let service: RecordingService;
let target: TransportTarget | undefined;
let problems: { kind: ProblemKind; message: string }[];
const open: Delivery[] = [];

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'delivery-'));
  service = await RecordingService.start();
  target = service.target;
  problems = [];
});

afterEach(async () => {
  for (const delivery of open.splice(0)) delivery.close();
  await service.stop();
  rmSync(home, { recursive: true, force: true });
});

function openDelivery(options: Partial<DeliveryOptions> = {}, timeoutMs = 10_000): Delivery {
  const delivery = new Delivery({
    home,
    resolveTarget: () => target,
    segmentTarget: { url: null, project: 'local/test' },
    openTransport: (to) => new HttpTransport({ ...to, version: '0', timeoutMs }),
    report: (kind, message) => problems.push({ kind, message }),
    random: () => 0.01,
    ...options,
  });
  open.push(delivery);
  return delivery;
}

function expectBalance(delivery: Delivery): void {
  const { recorded, queued, sent, spooled, dropped } = delivery.stats();
  expect(queued + sent + spooled + dropped).toBe(recorded);
}

test('what was recorded arrives as one batch', async () => {
  const delivery = openDelivery();
  delivery.writeCall(start('c1'));
  delivery.writeCall(end('c1'));
  expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: 2, spooled: 0, dropped: 0 });
  expect(service.items).toEqual(['start c1', 'end c1']);
  expect(service.requests).toHaveLength(1);
  expect(service.requests[0]?.headers.authorization).toBe(`Basic ${btoa('api:key-1')}`);
});

test('without a flush records arrive by themselves', async () => {
  const delivery = openDelivery();
  delivery.writeCall(start('c1'));
  await vi.waitFor(() => expect(service.items).toEqual(['start c1']));
  await vi.waitFor(() => expect(delivery.stats().sent).toBe(1));
});

test('without a service records wait on disk and arrive when one appears', async () => {
  target = undefined;
  const delivery = openDelivery();
  delivery.writeCall(start('c1'));
  expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: 0, spooled: 1, dropped: 0 });
  expect(listSegments(home)).toHaveLength(1);
  target = service.target;
  delivery.writeCall(end('c1'));
  expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: 2, spooled: 0, dropped: 0 });
  expect(service.items.sort()).toEqual(['end c1', 'start c1']);
  expect(listSegments(home)).toEqual([]);
});
