import {expect, test} from 'vitest';
import {memoize, memoizeByObject} from '../../source/util/memoize.ts';

function counted(maxCharacters?: number) {
	const asked: string[] = [];
	const ask = memoize(text => {
		asked.push(text);
		return {text};
	}, maxCharacters);
	return {ask, asked};
}

test('an answer is made once', () => {
	const {ask, asked} = counted();
	expect([ask('a'), ask('b'), ask('a')]).toEqual([{text: 'a'}, {text: 'b'}, {text: 'a'}]);
	expect(asked).toEqual(['a', 'b']);
});

test('what is kept is bounded: then answers are made each time, and the kept ones stay', () => {
	const {ask, asked} = counted(150);
	['first', 'second', 'second', 'first'].forEach(ask);
	expect(asked).toEqual(['first', 'second', 'second']);
});

test('a text that is too long by itself is not kept', () => {
	const {ask, asked} = counted();
	const long = 'x'.repeat(200_000);
	ask(long);
	ask(long);
	expect(asked).toHaveLength(2);
});

test('an answer to an object is made once for that very object', () => {
	const asked: object[] = [];
	const ask = memoizeByObject((key: {readonly name: string}) => void asked.push(key));
	const [first, second] = [{name: 'a'}, {name: 'a'}];
	[first, second, first].forEach(ask);
	expect(asked).toEqual([first, second]);
});
