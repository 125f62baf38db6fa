/**
Letters and signs that look like ASCII ones and that NFKC leaves alone, by what they look like. Chosen from the data of
Unicode Technical Standard 39 (https://www.unicode.org/Public/security/latest/confusables.txt): all of the Latin script, of others those that
names are forged with.
*/
const lookAlikesOf: Readonly<Record<string, string>> = {
	2: 'ꝚƧ',
	3: 'ꞫȜƷꝪ',
	5: 'Ƽ',
	8: 'ȣȢ',
	9: 'Ꝯ',
	a: 'аɑαᴀ',
	b: 'ьƅʙвβƄ',
	c: 'сᴄⲥ',
	d: 'ԁᴅ',
	e: 'еҽᴇєεꬲ',
	f: 'ƒϝꜰꬵꞙẝ',
	g: 'ɡցԍɢᶃƍ',
	h: 'һհʜн',
	i: 'іıɩɪιⲓ',
	j: 'јյᴊϳ',
	k: 'кκᴋⲕ',
	l: 'ӏʟǀƖ',
	m: 'мᴍⲙ',
	n: 'ոռɴп',
	o: 'оοօᴏσⲟᴑꬽ',
	p: 'рρƿᴘⲣ',
	q: 'ԛզ',
	r: 'гʀⲅꭇꭈ',
	s: 'ѕꜱƽ',
	t: 'тτᴛⲧ',
	u: 'սʋᴜυꞟꭎꭒ',
	v: 'νѵᴠ',
	w: 'ԝѡաᴡωɯ',
	x: 'хχⲭ',
	y: 'уүγʏɣᶌỿꭚ',
	z: 'ᴢ',
	A: 'АΑᎪꓮ',
	B: 'ВΒᏴꓐꞴ',
	C: 'СᏟꓚ',
	D: 'Ꭰꓓ',
	E: 'ЕΕᎬꓰ',
	F: 'ϜꓝꞘ',
	G: 'ԌᏀꓖ',
	H: 'НΗᎻꓧ',
	I: 'ІΙӀꓲ',
	J: 'ЈᎫꓙꞲ',
	K: 'КΚᏦꓗ',
	L: 'Ꮮꓡ',
	M: 'МΜᎷꓟ',
	N: 'Νꓠ',
	O: 'ОΟՕꓳ',
	P: 'РΡᏢꓑ',
	Q: 'Ԛ',
	R: 'ᏒꓣᎡƦ',
	S: 'ЅՏᏚꓢ',
	T: 'ТΤᎢꓔ',
	U: 'Սꓴ',
	V: 'ᏙꓦѴ',
	W: 'ԜᎳꓪ',
	X: 'ХΧꓫꞳ',
	Y: 'УҮΥꓬ',
	Z: 'ΖᏃꓜ',
	'-': '‐‒–−⁃˗➖۔',
	'/': '∕⁄╱⧸⁁⟋',
	'\\': '∖⧵⧹⟍',
	'%': '٪⁒',
	'~': '∼',
	':': 'ː׃։∶˸꞉⁚᛬᠃܃܄ꓽ',
	'.': '٠۰',
	"'": '‘’ʼ′',
	'"': '“”',
	_: 'ˍ',
};

/** Ordinary letters of Latin alphabets, and the long dash: rules compare them generously, too, but nobody takes them for the ASCII ones. */
const foldedOf: typeof lookAlikesOf = {
	d: 'đɗ',
	h: 'ħ',
	l: 'ł',
	o: 'ø',
	t: 'ŧ',
	z: 'ʐ',
	D: 'Đ',
	L: 'Ł',
	O: 'Ø',
	'-': '—',
};

const lookOf = byCharacter(lookAlikesOf);
const asciiOf = new Map([...lookOf, ...byCharacter(foldedOf)]);

function byCharacter(table: typeof lookAlikesOf): ReadonlyMap<string, string> {
	return new Map(
		Object.entries(table).flatMap(([ascii, others]) => Array.from(others, other => [other, ascii] as const)),
	);
}

const plain = /^[\x20-\x7E]*$/u;

/**
Other readings of a text: texts that look alike, or differ in case, normalisation, invisible characters or white space, have one in common.
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

/** The ASCII text that a character outside ASCII may be taken for: `е` (Cyrillic), `ｅ` and `𝐞` for `e`, `∕` for `/`. */
export function asciiLook(character: string): string | undefined {
	const look = Array.from(character.normalize('NFKC'), part => lookOf.get(part) ?? part).join('');
	return plain.test(look) ? look : undefined;
}

/** All that `asciiLook` takes for a hyphen. */
export const hyphenForms = `${lookAlikesOf['-'] ?? ''}\u2011﹣－`;

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
