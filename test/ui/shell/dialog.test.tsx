import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { type ReactElement, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { Dialog } from '../../../src/ui/shell/dialog.tsx';

afterEach(cleanup);

function Page(): ReactElement {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Keys
      </button>
      {isOpen && (
        <Dialog label="Keys" onClose={() => setOpen(false)}>
          <button type="button" onClick={() => setOpen(false)}>
            Close
          </button>
        </Dialog>
      )}
    </>
  );
}

test('a dialog that goes gives the focus back to where it was', () => {
  render(<Page />);
  const opener = screen.getByRole('button', { name: 'Keys' });
  opener.focus();
  fireEvent.click(opener);
  const close = screen.getByText('Close');
  close.focus();
  fireEvent.click(close);
  expect(document.activeElement).toBe(opener);
});
