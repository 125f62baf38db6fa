import {renderUnicodeCompact} from 'uqr';

/** A text as a QR code in half blocks: one terminal line shows two rows of the code. Has a quiet zone of one. */
export function qrCode(text: string): readonly string[] {
	return renderUnicodeCompact(text, {ecc: 'L', border: 1}).split('\n');
}
