import {parentPort} from 'node:worker_threads';
import {countTokens} from 'gpt-tokenizer/encoding/o200k_base';

/** A word that is longer is none, and the time of a word grows faster than its length. */
const longestWord = 1000;
const isLong = new RegExp(String.raw`\S{${longestWord}}|\s{${longestWord}}`, 'u');
const pieces = new RegExp(String.raw`\S{1,${longestWord}}|\s{1,${longestWord}}`, 'gu');

/** Texts of servers may have what is special in a model; here it is text. */
const plain = {disallowedSpecial: new Set<string>()};

parentPort?.on('message', (texts: readonly string[]) => {
	parentPort?.postMessage(texts.map(tokensOf), []);
});

function tokensOf(text: string): number {
	const parts = isLong.test(text) ? (text.match(pieces) ?? []) : [text];
	return parts.reduce((sum, part) => sum + countTokens(part, plain), 0);
}
