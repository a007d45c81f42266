import { describe, expect, test } from 'vitest';
import { onEveryEngine, refusal } from './service.ts';

const HELLO = 'qUiQTy8PR5uPgZdpSzAYSw0u0cHNKh7AX4XSmaGSpEc';

onEveryEngine((service) => {
  /** Publishes the text of a value as it is, so that the class of its numbers reaches the service. */
  const publish = async (text: string, object_id = 'o') => {
    const { project: project_id } = service;
    return await service.post(
      '/obj/create',
      `{"obj":{"project_id":${JSON.stringify(project_id)},"object_id":${JSON.stringify(object_id)},"val":${text}}}`,
    );
  };
  const digestOf = async (text: string) => ((await publish(text)).body as { digest: string }).digest;
  /** The text of the value inside an answer, which is the canonical text but for the spelling of letters. */
  const readText = async (digest: string) => {
    const { project: project_id } = service;
    const { text } = await service.post('/obj/read', { project_id, object_id: 'o', digest });
    return /"val":(.*),"svc_user_id"/s.exec(text)?.[1];
  };
  const createTable = async (rows: string) => {
    const { project: project_id } = service;
    return await service.post('/table/create', `{"table":{"project_id":"${project_id}","rows":${rows}}}`);
  };

  test('files, objects and rows have 43 characters of base64url without - and _, tables 64 of hexadecimal', async () => {
    const { project: project_id } = service;
    const file = async (content: string) => {
      const { body } = await service.post('/file/create', { project_id, name: 'x', content: btoa(content) });
      return (body as { digest: string }).digest;
    };
    const digests = await Promise.all(Array.from({ length: 40 }, (_, index) => file(`${index}`)));
    const values = await Promise.all(Array.from({ length: 40 }, (_, index) => digestOf(`${index}`)));
    for (const digest of [...digests, ...values]) expect(digest).toMatch(/^[A-Za-z0-9]{43}$/);
    const { digest, row_digests } = (await createTable('[{"a":1}]')).body as { digest: string; row_digests: string[] };
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(row_digests).toEqual([await digestOf('{"a":1}')]);
  });

  describe('4.1 the canonical text', () => {
    // Two texts have one digest exactly when their canonical texts are one.
    test.each([
      ['{"b":1,"a":2}', '{"a": 2, "b": 1}'],
      ['{"\u{1f600}":2,"\uff5e":1}', '{"\uff5e": 1, "\u{1f600}": 2}'],
      ['[ 1 ,2 ]', '[1, 2]'],
      ['{ }', '{}'],
      [String.raw`"\u0041\/\u00e9"`, '"A/é"'],
      [String.raw`"\ud83d\ude00"`, '"\u{1f600}"'],
      ['-0', '0'],
      ['-0.0', '-0.0'],
      ['1.50', '1.5'],
      ['1e2', '100.0'],
      ['1E+2', '100.0'],
      ['1e16', '1e+16'],
      ['10000000000000000.0', '1e+16'],
      ['0.00001', '1e-05'],
      ['0.0001', '0.0001'],
      ['123456789012345678901234567890', '123456789012345678901234567890'],
      ['0.1000000000000000055511151231257827', '0.1'],
      [String.raw`"\ud800x"`, '"\ufffdx"'],
      ['{"a":1,"a":2}', '{"a": 2}'],
    ])('%s and %s are one value', async (text, same) => {
      expect(await digestOf(text)).toBe(await digestOf(same));
    });

    test.each([
      ['1', '1.0'],
      ['0.0', '-0.0'],
      ['0', '0.0'],
      ['1e16', '10000000000000000'],
      ['"1"', '1'],
      ['[]', '{}'],
      ['[1,2]', '[2,1]'],
      ['9007199254740993', '9007199254740992'],
      ['"a"', '"a "'],
    ])('%s and %s are two', async (one, other) => {
      expect(await digestOf(one)).not.toBe(await digestOf(other));
    });

    test.each(['1e400', '-1e400', 'NaN', 'Infinity', '-Infinity', '+1', '01', '.5', '1.', '0x1', "'a'"])(
      '%s is no number of JSON that is kept',
      async (text) => {
        expect(refusal(await publish(text))).toBe('400 invalid_json');
      },
    );

    test('a value is read back by the class and the digits of its numbers, and saved again it is the same', async () => {
      const text = '{"a": 1.0, "b": 1, "c": 1e+16, "d": 12345678901234567890, "e": -0.0, "f": 1e-05}';
      const digest = await digestOf(text);
      const back = await readText(digest);
      expect(back).toBe(text);
      expect(await digestOf(back ?? '')).toBe(digest);
    });

    test('the digest of a client is only compared', async () => {
      const { project: project_id } = service;
      const expected_digest = 'x'.repeat(43);
      const obj = { project_id, object_id: 'o', val: { i: 1 }, expected_digest };
      const actual_digest = 'X9JzV19XGsTuoYkllRKAipPm3SFXfSO3ce8QJUxep1k';
      expect(await service.post('/obj/create', { obj })).toMatchObject({
        status: 409,
        body: { error_code: 'digest_mismatch', actual_digest },
      });
    });
  });

  describe('4.2 and appendix C', () => {
    test('the worked example', async () => {
      expect((await publish('{"b": 2, "a": [1, 2.5, null, true], "é": "ü\\n"}')).body).toEqual({
        digest: '08oXX9XweooeOeodgtVvYysAVRQHcT4te3eXoWqbeCM',
        object_id: 'o',
      });
      expect((await createTable('[{"q":"a","n":1},{"n":2,"q":"b"}]')).body).toEqual({
        digest: '23e33f79a2e3de551c0200d4baa78b9fea8e28478367d5ac48bfca009c99e6f3',
        row_digests: ['DsBinkcEcd9bklBjKH4OntLJ8ZSWyevuLU63Fv4KYFU', '1G0Wv1X1l3ziu9usQN0vzUVHfHO648mTZ0rEZcZVccM'],
      });
    });

    const ROWS = 'svc:///acme/demo/table/23e33f79a2e3de551c0200d4baa78b9fea8e28478367d5ac48bfca009c99e6f3';
    test.each([
      ['{"i":1}', 'X9JzV19XGsTuoYkllRKAipPm3SFXfSO3ce8QJUxep1k'],
      ['{}', 'RBNvo1WzZ4oRRq0W9XhknpT7T8If536DEMBg9hyqY4o'],
      ['[]', 'T1PNoYwrqgwDVLtfmj7L5e0Sq02OEbqHPC8RFhICuUU'],
      ['null', 'dCNOmKYnSYX12vHzasLXiswzlGT5UHA7jAGYkvmCuQs'],
      ['"hello"', 'WqdirjgYu3J688ejbUlApbjECpiUUtIwT8lYYz81Tno'],
      ['{"x":1.0,"y":1e16,"z":1e-7}', '7fYFbAa3J1syzgd0vC04F8evRvKMabSTFrRBMFaETbM'],
      ['{"name":"m","temp":1.0,"n":1}', 'm30XXr15rUTKeLrEzGyioxQ7KYAJWvVTcmFZVmhbO9w'],
      ['{"name":"m","temp":1,"n":1}', 'AkLm8KlYMUMzLjhjoxOdiaSTQOd3eDkCAYmV4P9eatA'],
      ['{"\u{1f600}":2,"\uff5e":1}', 'PAwVdjziBEUZ4QpRQngE620jjbYJb7s4pIWdODrZeIU'],
      [
        `{"_type":"CustomType","svc_type":{"type":"Op"},"files":{"obj.ts":"${HELLO}"},"load_op":"NO_LOAD_OP"}`,
        'ynqx9MZlTmnyIOkyXrjM07r5zcYPz2qVFXAw2FCFJK0',
      ],
      [
        `{"_type":"Dataset","_class_name":"Dataset","_bases":["Object","BaseModel"],"name":"qa","description":null,"rows":"${ROWS}"}`,
        'Yf6X4oOvkQnBonXzGuThiA5boyJYXQcsKemNaYX2XOQ',
      ],
    ])('%s has its digest', async (text, digest) => {
      expect((await publish(text)).body).toEqual({ digest, object_id: 'o' });
    });

    test('files and the empty table', async () => {
      const { project: project_id } = service;
      const file = async (content: string) =>
        (await service.post('/file/create', { project_id, name: 'x', content: btoa(content) })).body;
      expect(await file('hello world\n')).toEqual({ digest: HELLO });
      expect(await file('')).toEqual({ digest: '47DEQpj8HBSaXYTImWX5JCeuQeRkm5NMpJWZG3hSuFU' });
      expect((await createTable('[]')).body).toEqual({
        digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        row_digests: [],
      });
    });
  });
});
