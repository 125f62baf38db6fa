import {describe, expect, test} from 'vitest';
import {exactText} from '../../../source/util/exact-text.ts';
import {type JsonValue} from '../../../source/util/json-text.ts';
import {countMarked, markedPlaces} from '../../../source/util/characters/marked-characters.ts';
import {readExact} from '../../helpers/read-back.ts';

describe('marked characters', () => {
	test.each([
		['a letter of another script among Latin ones', 'dеlete', 'd‹U+0435›lete'],
		['several of them', 'раypal', '‹U+0440›‹U+0430›ypal'],
		['one in an identifier', 'get_дата', 'get_‹U+0434›‹U+0430›‹U+0442›‹U+0430›'],
		['a Latin letter among those of another script', 'привeт', '‹U+043F›‹U+0440›‹U+0438›‹U+0432›e‹U+0442›'],
		['two scripts without Latin', 'аω', '‹U+0430›‹U+03C9›'],
		['a stranger among Han, Hangul and Latin', 'β版 дelete한', '‹U+03B2›版 ‹U+0434›elete한'],
		['look-alikes that are Latin themselves', 'dırectory ɡit ﬁle', 'd‹U+0131›rectory ‹U+0261›it ‹U+FB01›le'],
		['small capitals', 'ᴅᴇʟ', '‹U+1D05›‹U+1D07›‹U+029F›'],
		['letters split by what nobody sees', 'd\u200Bеlete', 'd‹U+200B›‹U+0435›lete'],
		['a letter within a number', '8О80', '8‹U+041E›80'],
		['digits of another script beside ASCII', '8٠80 port８０', '8‹U+0660›80 port‹U+FF18›‹U+FF10›'],
		['full-width letters', 'ｒｍ', '‹U+FF52›‹U+FF4D›'],
		['mathematical letters', '𝐫𝓶 ℓ', '‹U+1D42B›‹U+1D4F6› ‹U+2113›'],
		['a slash', '/etc∕passwd', '/etc‹U+2215›passwd'],
		['full-width signs', 'https：／／x.de root＠x', 'https‹U+FF1A›‹U+FF0F›‹U+FF0F›x.de root‹U+FF20›x'],
		['a dot', 'a․sh', 'a‹U+2024›sh'],
		['a back slash', 'C:⧵x', 'C:‹U+29F5›x'],
		['the hyphen of an option', 'rm ‐rf −−force', 'rm ‹U+2010›rf ‹U+2212›‹U+2212›force'],
		['a hyphen of an option, quoted', '"–n"', '"‹U+2013›n"'],
		['a hyphen in a file name', 'my–file.txt', 'my‹U+2013›file.txt'],
		['a hyphen in a path, between digits', '/srv/2019–2020/x', '/srv/2019‹U+2013›2020/x'],
		['a host', 'https://bücher.de/ü', 'https://b‹U+00FC›cher.de/ü'],
		['a host of one script', 'http://рф', 'http://‹U+0440›‹U+0444›'],
		['a host as browsers read it', 'https:\\\\bücher.de http:ü', 'https:\\\\b‹U+00FC›cher.de http:‹U+00FC›'],
		['the host of an address', 'a@bücher.de git@рф:x', 'a@b‹U+00FC›cher.de git@‹U+0440›‹U+0444›:x'],
		['a host by its first label', 'www.bücher.de', 'www.b‹U+00FC›cher.de'],
		['a user name in an address', 'https://ü@x.de', 'https://‹U+00FC›@x.de'],
		['what turns the direction', '日\u202E本', '日‹U+202E›本'],
		['a selector on an ASCII letter', 'a\uFE0F', 'a‹U+FE0F›'],
	])('are %s', (_, text, shown) => {
		expect(exactText(text)).toBe(shown);
		expect(markedPlaces(text).size).toBe(shown.split('‹U+').length - 1);
		expect(readExact(exactText(text))).toBe(text);
	});

	test.each([
		['Latin letters with marks', 'Überweisung naïve Łódź søk đường'],
		['words of one script', 'привет, Ω und αβγ · 中文 · ภาษา · ქართული'],
		['Han with kana, Hangul and Latin', '東京タワー Tシャツ 한국어test ㄅ字'],
		['digits in a word of another script', 'ГОСТ2 А4 12Б ２０２４年のiPhone'],
		['units and raised signs', '10 µs x² 1ª Ⅳ № ™'],
		['emoji', '❤️abc 1️⃣ ℹ️ 👩‍🚀x'],
		['quotes and dashes of prose', '„a“ ‘b’ it’s “c” … word – word word—word'],
		['compounds and ranges', 'cost–benefit 10–12 2019–2024 $5–$10 9:00–17:00 1.5–2.5 U.S.–China'],
		['fractions and ratios', '1⁄2 3∶4 12：30'],
		['signs of East Asia', '注意：test，「A」。'],
		['names of files and mentions', 'Größe.md:12 @пользователь //初始化'],
		['what follows an address', '“https://example.com” https://example.com。'],
		['a host in Punycode', 'https://xn--bcher-kva.de/'],
		['joiners of other scripts', 'می‌خواهم'],
	])('are not %s', (_, text) => {
		expect([...markedPlaces(text)]).toEqual([]);
	});

	test('are counted in names and texts, however deep', () => {
		const deep = Array.from({length: 5000}).reduce<JsonValue>(value => [value], ['dеlete']);
		expect(countMarked({nаme: [1, null, {text: 'раypal'}]})).toBe(3);
		expect(countMarked(deep)).toBe(1);
		expect(countMarked({name: ['Überweisung', true]})).toBe(0);
	});
});
