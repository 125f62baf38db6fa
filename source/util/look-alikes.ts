/**
Letters and signs that look like ASCII ones and that NFKC leaves alone, by what they look like. Chosen from the data of
Unicode Technical Standard 39 (https://www.unicode.org/Public/security/latest/confusables.txt): the scripts that names are forged with.
*/
const lookAlikesOf: Readonly<Record<string, string>> = {
	a: 'аɑαᴀ',
	b: 'ьƅʙвβ',
	c: 'сᴄⲥ',
	d: 'ԁɗđᴅ',
	e: 'еҽᴇєε',
	f: 'ƒϝꜰ',
	g: 'ɡցԍɢ',
	h: 'һհʜнħ',
	i: 'іıɩɪιⲓ',
	j: 'јյᴊϳ',
	k: 'кκᴋⲕ',
	l: 'ӏłʟǀ',
	m: 'мᴍⲙ',
	n: 'ոռɴп',
	o: 'оοօᴏøσⲟ',
	p: 'рρƿᴘⲣ',
	q: 'ԛզ',
	r: 'гʀⲅ',
	s: 'ѕꜱƽ',
	t: 'тτᴛŧⲧ',
	u: 'սʋᴜυ',
	v: 'νѵᴠ',
	w: 'ԝѡաᴡω',
	x: 'хχⲭ',
	y: 'уүγʏ',
	z: 'ᴢʐ',
	A: 'АΑᎪꓮ',
	B: 'ВΒᏴꓐ',
	C: 'СᏟꓚ',
	D: 'ᎠꓓĐ',
	E: 'ЕΕᎬꓰ',
	F: 'Ϝꓝ',
	G: 'ԌᏀꓖ',
	H: 'НΗᎻꓧ',
	I: 'ІΙӀꓲ',
	J: 'ЈᎫꓙ',
	K: 'КΚᏦꓗ',
	L: 'ᏞꓡŁ',
	M: 'МΜᎷꓟ',
	N: 'Νꓠ',
	O: 'ОΟՕꓳØ',
	P: 'РΡᏢꓑ',
	Q: 'Ԛ',
	R: 'ᏒꓣᎡ',
	S: 'ЅՏᏚꓢ',
	T: 'ТΤᎢꓔ',
	U: 'Սꓴ',
	V: 'ᏙꓦѴ',
	W: 'ԜᎳꓪ',
	X: 'ХΧꓫ',
	Y: 'УҮΥꓬ',
	Z: 'ΖᏃꓜ',
	'-': '‐‒–—−⁃',
	'/': '∕⁄╱⧸',
	'\\': '∖⧵⧹',
	'%': '٪⁒',
	'~': '∼',
	':': 'ː׃։∶',
	'.': '٠۰',
	"'": '‘’ʼ′',
	'"': '“”',
	_: 'ˍ',
};

const asciiOf = new Map(
	Object.entries(lookAlikesOf).flatMap(([ascii, others]) => Array.from(others, other => [other, ascii] as const)),
);

const plain = /^[\x20-\x7E]*$/u;

/**
What a text may be taken for, so that texts which look alike or differ in case, normalisation, invisible or white space have one in common.
There are two because case and looks do not agree: `Ν` looks like N, its small letter `ν` like v.
*/
export function lookAlikes(text: string): readonly string[] {
	if (plain.test(text)) {
		// The only white space of such a text is the space, and it has no invisible characters.
		return [text.toLowerCase().replace(/ {2,}/gu, ' ').trim()];
	}

	const normal = text.normalize('NFKC');
	const looksFirst = foldCase(toAscii(normal));
	const caseFirst = toAscii(foldCase(normal));
	const found = [withPlainSpace(looksFirst), withPlainSpace(caseFirst)];
	return found[0] === found[1] ? found.slice(1) : found;
}

function toAscii(text: string): string {
	return text.replace(/[^\0-\x7F]/gu, character => asciiOf.get(character) ?? character);
}

/** Full case folding, nearly: by way of capitals, so that `ß`, `ſ`, `ς` and `ı` meet their other forms. */
function foldCase(text: string): string {
	return text.toUpperCase().toLowerCase().replaceAll('i\u0307', 'i').normalize('NFKC');
}

function withPlainSpace(text: string): string {
	return text
		.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
		.replace(/[\p{Cc}\p{Z}]+/gu, ' ')
		.trim();
}
