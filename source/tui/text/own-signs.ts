/** Signs of ours and what stands for them where only ASCII is safe. One cell each on both sides. */
const asciiSigns: Readonly<Record<string, string>> = {
	'●': '*',
	'◐': '~',
	'○': 'o',
	'◇': '?',
	'✖': 'x',
	'–': '-',
	'▲': '!',
	'✔': '+',
	'─': '-',
	'│': '|',
	'·': '-',
	'…': '~',
	'↑': '^',
	'↓': 'v',
	'▌': '>',
	'◆': '?',
	'━': '=',
	'◉': '*',
	'»': '>',
};

/** All of them, for an expression. */
export const ownSigns = Object.keys(asciiSigns).join('');

/** Code points of the private use area stand for our signs until they are drawn. No text from outside holds one: `safeText` and `exactText` escape them. */
const firstTwin = 0xe0_00;
const signList = Array.from(ownSigns);
const twins = new Map(signList.map((sign, index) => [sign, String.fromCharCode(firstTwin + index)]));

/** The same as they are written until they are drawn. */
export const ownTwins = [...twins.values()].join('');

const anyOwnSign = new RegExp(`[${ownSigns}]`, 'gu');
const anyTwin = new RegExp(`[${ownTwins}]`, 'gu');

/**
Tags a text of ours. The signs in it are ours and may be drawn in ASCII; what is put in between may be a value of somebody else, and is
never changed.
*/
export function own(literals: TemplateStringsArray, ...values: ReadonlyArray<string | number>): string {
	return literals.map(ourOwn).reduce((text, literal, index) => `${text}${values[index - 1] ?? ''}${literal}`);
}

/** The same for a text without values. */
export function ourOwn(text: string): string {
	return text.replaceAll(anyOwnSign, sign => twins.get(sign) ?? sign);
}

/** The text as it is drawn: our own signs in the way of the terminal, the rest untouched. */
export function drawOwnSigns(text: string, way: 'unicode' | 'ascii'): string {
	return text.replaceAll(anyTwin, twin => {
		const sign = signList[twin.charCodeAt(0) - firstTwin] ?? twin;
		return way === 'ascii' ? (asciiSigns[sign] ?? sign) : sign;
	});
}
