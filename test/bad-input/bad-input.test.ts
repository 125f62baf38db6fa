import {describe, expect, test} from 'vitest';
import {refusedCommands} from '../helpers/remedy-commands.ts';
import {addressRows} from './addresses.ts';
import {answerTo, type BadInput} from './bad-input.ts';
import {commandRows} from './commands.ts';
import {fileRows} from './files.ts';
import {partRows} from './parts.ts';
import {ruleRows} from './rules.ts';
import {serverRows} from './servers.ts';
import {webhookRows} from './webhooks.ts';

const tables: Readonly<Record<string, readonly BadInput[]>> = {
	'files of the state directory': fileRows,
	'tool servers and logins': serverRows,
	'webhook routes': webhookRows,
	'rules and schedules': ruleRows,
	'links, ids, tools, models and delivery targets': partRows,
	'addresses, ports and certificates': addressRows,
	'command lines': commandRows,
};

describe.each(Object.entries(tables))('%s', (_, rows) => {
	test.each(rows)('$input is answered with this text, and its commands can be typed', async row => {
		const {says, remedies} = await answerTo(row);
		expect(says).toEqual(row.says);
		expect(says).not.toEqual([]);
		expect(remedies.flatMap(refusedCommands)).toEqual([]);
	});
});

test('no two rows have the same words, and no text has the old manner', () => {
	const rows = Object.values(tables).flat();
	expect(new Set(rows.map(({input}) => input)).size).toBe(rows.length);
	const texts = rows.flatMap(({says}) => says);
	expect(texts.filter(text => /\bfound [^.]*, allowed: |is none (?:of|that)|\bwhoever\b/u.test(text))).toEqual([]);
});
