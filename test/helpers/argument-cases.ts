import {type JsonObject} from '../../source/util/json-text.ts';

/** Texts with line ends that are hard to read, or that want to be taken for something else. */
const texts: ReadonlyArray<readonly [what: string, text: string]> = [
	['a line', 'a\n'],
	['lines without a last line end', 'a\nb\nc'],
	['an empty line', '\n'],
	['empty lines alone', '\n\n\n'],
	['an empty line in between', 'a\n\nb\n'],
	['carriage returns', 'a\r\nb\r\n'],
	['a carriage return within a line', 'safe\rhidden\nb'],
	['tabs', 'all:\n\tgo build\n\t\t./...\t\n'],
	['blanks at line ends', 'a  \nb \n   '],
	['blanks before a carriage return', 'a  \r\n  \r\n'],
	['blanks at the beginning', '    a\n  b\n'],
	['blanks that push words out of sight', `ls\necho a;${' '.repeat(300)}rm -rf /\n`],
	['the gutter', ' 1 │ a\n  2 │ b\n12 │ c\n'],
	['the end of a text', 'a\n  └ ends with a line end\n}\n'],
	['the beginning of a text', 'a\n  "content": ┌ 2 lines\n┌ 1 line'],
	['the gutter of an edit', '1 1   │ a\n1   - │ b\n  1 + │ c\n        ├ 9 lines unchanged, not shown\n'],
	['members of JSON', 'a\n  "path": "/safe",\n  "force": false\n}\n'],
	['the end of JSON', '"\n}'],
	['the last line of the card', 'a\n ready · keys act on request #7f3a only · Esc leaves it undecided\n'],
	['the last line of the card in ASCII', 'a\n ready - press a\n| b\n+ ends with a line end\n'],
	['the title of another card', '\n ▲ APPROVAL 1 of 1   oldest first\n─ who asks ───\n'],
	[
		'what is read out',
		'a\nline 2: b\nEnd of the text: ends with a line end.\n3 allow once\nType a number and press Enter.',
	],
	['the marks of a long line', '…\n …\n… │ a\n'],
	['escape sequences', '\u001B[2J\u001B[H\n\u001B]0;title\u0007\n'],
	['control characters', '\u0000\u0001\b\v\f\u001F\u007F\n'],
	['control characters of eight bits', '\u0085\u009B31m\n\u009D\n'],
	['characters that turn the direction', 'a\u202Eb\u202C\n\u2066c\u2069\n'],
	['invisible characters', 'a\u200Bb\u00AD\uFEFF\n\u2060\u180E\u115F\u3164\n'],
	['combining marks', 'e\u0301\n\u0301\na\u0300\u0301\u0302\u0303\u0304\n'],
	['emoji of several characters', '👩‍👩‍👧 ❤️ 1️⃣ 👍🏽 🇩🇪\n'],
	['wide characters', `${'世界'.repeat(60)}\n漢字\n`],
	['a long line', `${'x'.repeat(400)}\ny\n`],
	['a long line with a blank at its end', `${'word '.repeat(50)}\n`],
	['our signs', '␉␠␍␊␛␡ ‹U+0041› ‹tab› ‹2 blanks›\n'],
	['our masks', 'a\n‹redacted 3 chars›\n‹9 B not shown›'],
	['other line ends', 'a\u2028b\u2029c\u0085d\n'],
	['other blanks', '\u00A0\u2003\u3000\n\u2800\u1680 \n'],
	[
		'a unified diff',
		'--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n\n@@ -9 +10 @@\n-e\n+f\n\\ No newline at end of file\n',
	],
	['a diff that counts wrongly', '@@ -1 +1 @@\n-a\n+b\n-not of it\n+neither\n@@ -1,99 +1,99 @@\nx\n'],
	['quotes and back slashes', '"\\n\\\\\n\\"\n\\\n'],
	['many lines', Array.from({length: 130}, (_, line) => `line ${line}`).join('\n')],
	['a letter of another script', 'dеlete\nprivate\n'],
	['private characters', '\uE000\uE001\uE01B\uE01C\uE01D\n\u{F0000}\n'],
	['tag characters', `a${String.fromCodePoint(0xe_00_41, 0xe_00_42, 0xe_00_7f)}\n\u{E0100}\n`],
];

/** Another text, for an edit. */
const changes: ReadonlyArray<(text: string) => string> = [
	text => `${text}x`,
	text => `x\n${text}`,
	text => text.split('\n').toReversed().join('\n'),
	text => text.replace(/\n$/u, ''),
	() => '',
	text => text.replaceAll(/[^\n]$/gmu, ' \t'),
];

const names = [
	['old_string', 'new_string'],
	['oldText', 'newText'],
	['new_str', 'old_str'],
] as const;

/** 88 arguments: each text as it is, and as a part of an edit, alone or among other members, in each order. */
export const argumentCases: ReadonlyArray<readonly [what: string, sent: JsonObject]> = texts.flatMap(
	([what, text], index): ReadonlyArray<readonly [string, JsonObject]> => {
		const change = changes[index % changes.length] ?? String;
		const [first, second] = names[index % names.length] ?? names[0];
		const edit = {[first]: text, ...(index % 2 === 0 && {replace_all: false}), [second]: change(text)};
		return [
			[what, {path: '/a', content: text, ...(index % 2 === 0 && {mode: 420, list: [text, 1]})}],
			[`an edit of ${what}`, index % 4 === 0 ? {path: '/a', edits: [edit, {text}]} : {...edit, path: '/a'}],
		];
	},
);
