import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** Names under which services of these tests are reached: one by proxies only, one by everybody. */
export const HOSTS = ['trace.example', 'localhost'] as const;

/** Paths of files of PEM. */
export interface Certificates {
  /** The authority that all others are from, and that nobody knows. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly clientCert: string;
  readonly clientKey: string;
}

/** An authority of a company, with what it has made for a server and for a client. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  const dates = { notBeforeDate: daysFromNow(-1), notAfterDate: daysFromNow(30), keySize: 2048, algorithm: 'sha256' };
  const authority = await generate([{ name: 'commonName', value: 'An authority' }], {
    ...dates,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const ca = { key: authority.private, cert: authority.cert };
  const server = await generate([{ name: 'commonName', value: HOSTS[0] }], {
    ...dates,
    ca,
    extensions: [
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: HOSTS.map((value) => ({ type: 2 as const, value })) },
    ],
  });
  const client = await generate([{ name: 'commonName', value: 'A program' }], {
    ...dates,
    ca,
    extensions: [{ name: 'extKeyUsage', clientAuth: true }],
  });
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  return {
    ca: write('ca.pem', authority.cert),
    cert: write('server.pem', server.cert),
    key: write('server-key.pem', server.private),
    clientCert: write('client.pem', client.cert),
    clientKey: write('client-key.pem', client.private),
  };
}

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * 24 * 60 * 60 * 1000);
}
