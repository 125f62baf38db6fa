import {renderUnicodeCompact} from 'uqr';

/** A text as a code for cameras, in half blocks: one line of the terminal shows two rows of the code. With a quiet border of one. */
export function qrCode(text: string): readonly string[] {
	return renderUnicodeCompact(text, {ecc: 'L', border: 1}).split('\n');
}
