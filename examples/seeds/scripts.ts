import { type Plan, recordsOf, writeRecords } from './plan.ts';
import type { Seed } from './seed.ts';

const TRACE = '019a0000000070008000000000000004';

const TEXTS = [
  ['arabic', 'أين طلبي رقم 48177؟ طلبته قبل تسعة أيام (order 48177) ولم يصل بعد.'],
  ['hebrew', 'הקומקום הגיע סדוק, מספר הזמנה 48211, בבקשה החליפו אותו.'],
  ['japanese', '注文番号48190の返品方法を教えてください。箱は開封済みです。送料は誰が払いますか。'],
  ['chinese', '我的水壶盖子坏了，订单号是48230，请问两年保修期内可以免费更换吗？'],
  ['korean', '주전자 뚜껑이 깨졌어요. 주문 번호는 48177입니다.'],
  ['hindi', 'मेरी केतली का ढक्कन टूट गया है, ऑर्डर 48211.'],
  ['thai', 'ฝากาน้ำแตก หมายเลขคำสั่งซื้อ 48190 ขอเปลี่ยนใหม่'],
  ['mixed', 'Order "אבג" (48211) – טלפון: +972 3 555 0100, then שלום again'],
  ['emoji', 'Kettle 🫖 broke 👩🏽‍🔧👨‍👩‍👧‍👦 🏳️‍🌈 ❤️‍🔥 at 100 °C'],
  ['combining', 'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘ and é written as é'],
  ['one_long_word', 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(8)],
] as const;

/** Texts from right to left, without spaces, of many characters in one place, and of one word. */
export const SCRIPTS: Seed = {
  about: 'texts from right to left, Chinese, Japanese, Korean, emoji, and a word that does not end',
  write: async (reader, now) => {
    const calls = TEXTS.map(([op, text], index) => said(op, text, index * 100));
    const root = { ...said('write_in_scripts', 'שלום, 世界, hello', 0), ms: TEXTS.length * 100, calls };
    await writeRecords(reader, recordsOf(root, now - 5000, { traceId: TRACE }));
    const alone = TEXTS.map(([op, text], index) => recordsOf(said(op, text, 0), now - 6000 - index * 500));
    await writeRecords(reader, alone.flat());
    return `trace/${TRACE}`;
  },
};

function said(op: string, text: string, fromMs: number): Plan {
  const message = { role: 'assistant', content: text };
  return {
    op,
    kind: 'llm',
    fromMs,
    ms: 90,
    inputs: { messages: [{ role: 'user', content: text }] },
    output: { choices: [{ index: 0, finish_reason: 'stop', message }] },
    attributes: { user: text.slice(0, 40) },
  };
}
