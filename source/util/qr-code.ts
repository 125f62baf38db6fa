import {renderUnicodeCompact} from 'uqr';

/** An address as a picture for the camera of a phone: lines of half blocks, dark on light, with a border of one module. */
export function qrCode(text: string): readonly string[] {
	return renderUnicodeCompact(text, {border: 1}).split('\n');
}
