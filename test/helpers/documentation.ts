import {readdirSync, readFileSync} from 'node:fs';
import {posix} from 'node:path';

/** A page that people read. */
export type Page = {
	/** Relative to the root of the repository. */
	readonly path: string;
	readonly text: string;
	/** Headings in the order of the page, without their marks. */
	readonly headings: readonly string[];
	/** The anchors of the headings. */
	readonly anchors: readonly string[];
};

export type Link = {readonly page: string; readonly target: string; readonly path: string; readonly anchor: string};

const root = new URL('../../', import.meta.url);

/** readme.md and every page of docs/. */
export function readPages(): readonly Page[] {
	const docs = readdirSync(new URL('docs/', root)).filter(name => name.endsWith('.md'));
	return ['readme.md', ...docs.map(name => `docs/${name}`)].map(path => {
		const text = readFileSync(new URL(path, root), 'utf8');
		const headings = [...withoutBlocks(text).matchAll(/^#{1,6} (.+)$/gmu)].map(([, heading = '']) => heading);
		return {path, text, headings, anchors: anchorsOf(headings)};
	});
}

/** The contents of the code blocks in one of these languages. */
export function codeBlocks(text: string, ...languages: readonly string[]): readonly string[] {
	return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gmsu)].flatMap(([, language = '', code = '']) =>
		languages.includes(language) ? [code] : [],
	);
}

/** Links and pictures that lead to a file of the repository or to a heading. */
export function relativeLinks({path, text}: Page): readonly Link[] {
	return [...withoutBlocks(text).matchAll(/\]\(([^()\s]+)\)/gu)].flatMap(([, target = '']) => {
		const [file = '', anchor = ''] = target.split('#');
		return /^[a-z]+:/iu.test(target)
			? []
			: [{page: path, target, anchor, path: file === '' ? path : posix.join(posix.dirname(path), file)}];
	});
}

/** The text without its code blocks. */
export function withoutBlocks(text: string): string {
	return text.replaceAll(/^```\w*\n.*?^```$/gmsu, '');
}

/** As GitHub makes them: lower case, without punctuation, blanks as hyphens, a number behind what was there before. */
function anchorsOf(headings: readonly string[]): readonly string[] {
	const counts = new Map<string, number>();
	return headings.map(heading => {
		const anchor = heading
			.toLowerCase()
			.replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
			.replaceAll(' ', '-');
		const before = counts.get(anchor) ?? 0;
		counts.set(anchor, before + 1);
		return before === 0 ? anchor : `${anchor}-${before}`;
	});
}
