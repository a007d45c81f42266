import { expect, onTestFinished, test, vi } from 'vitest';
import { pressInBar } from '../../../src/ui/calls/use-actions.tsx';

/** Frames that are asked for, to be drawn one by one. */
function useFrames(): { readonly draw: () => void; readonly asked: () => number } {
  const waiting: FrameRequestCallback[] = [];
  let asked = 0;
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => {
    asked += 1;
    return waiting.push(frame);
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const draw = (): void => {
    for (const frame of waiting.splice(0)) frame(0);
  };
  return { draw, asked: () => asked };
}

test.each([0, 1, 2, 5, 20])('a key of the bar is pressed when the bar comes after %i frames', async (late) => {
  const frames = useFrames();
  const pressed = vi.fn<() => void>();
  pressInBar('export');
  await vi.waitFor(() => expect(frames.asked()).toBe(1));
  for (let frame = 0; frame < late; frame += 1) frames.draw();
  const button = document.createElement('button');
  button.id = 'export';
  button.addEventListener('click', pressed);
  document.body.append(button);
  onTestFinished(() => button.remove());
  frames.draw();
  frames.draw();
  expect(pressed).toHaveBeenCalledOnce();
});

test('a bar that never comes is not waited for without an end', async () => {
  const frames = useFrames();
  pressInBar('export');
  await vi.waitFor(() => expect(frames.asked()).toBe(1));
  for (let frame = 0; frame < 1000; frame += 1) frames.draw();
  expect(frames.asked()).toBeLessThan(100);
});
