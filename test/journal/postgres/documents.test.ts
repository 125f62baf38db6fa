import {describe, expect, test, vi} from 'vitest';
import {type DocumentChange, type KnownDocument} from '../../../source/journal/rows/document-rows.ts';
import {hasPostgres} from '../../helpers/postgres-server.ts';
import {openStorageOf} from '../../helpers/postgres-storage.ts';

const rules = {profile: 'default', name: 'approval-rules'} as const;
const replace = (change: Partial<DocumentChange>) =>
	({name: 'replaceDocument', args: [{...rules, from: 0, content: '{}', by: 'a', ...change}]}) as const;
const list = (...known: readonly KnownDocument[]) => ({name: 'listDocuments', args: [known]}) as const;

async function openDocuments(...options: Parameters<typeof openStorageOf>) {
	const storage = await openStorageOf(...options);
	const ask = async (request: ReturnType<typeof replace> | ReturnType<typeof list>): Promise<unknown> => {
		const [reply] = await storage.run(request);
		return reply?.kind === 'value' ? reply.value : reply;
	};

	return {...storage, ask};
}

describe.skipIf(!hasPostgres)('the documents of a database', () => {
	test('are replaced by a gateway that knows the last version, and by no other', async () => {
		const {ask} = await openDocuments();
		expect(await ask(list())).toEqual([]);
		expect(await ask(replace({content: '{"n":1}'}))).toBe('replaced');
		expect(await ask(replace({content: '{"n":2}'}))).toBe('conflict');
		expect(await ask(replace({content: '{"n":2}', from: 1}))).toBe('replaced');
		expect(await ask(replace({content: '{"n":3}', from: 1}))).toBe('conflict');
		expect(await ask(list())).toEqual([{...rules, version: 2, content: '{"n":2}'}]);
	});

	test('of two that change the same version at once, one alone succeeds', async () => {
		const one = await openDocuments();
		const other = await openDocuments(one.database);
		for (let from = 0; from < 20; from++) {
			const outcomes = await Promise.all([one.ask(replace({from})), other.ask(replace({from}))]);
			expect(outcomes).toContain('replaced');
			expect(outcomes).toContain('conflict');
		}
	});

	test('are listed without the content that the reader has', async () => {
		const {ask} = await openDocuments();
		await ask(replace({content: '1'}));
		await ask(replace({content: '2', profile: 'work'}));
		const known = [
			{...rules, version: 1},
			{...rules, profile: 'work', version: 7},
			{...rules, name: 'gone', version: 1},
		];
		expect(await ask(list(...known))).toEqual([
			{...rules, version: 1, content: null},
			{...rules, profile: 'work', version: 1, content: '2'},
		]);
	});

	test('come back as they were written, whatever is in them', async () => {
		const {ask} = await openDocuments();
		const content = JSON.stringify({'\0': '\u001A0 \u202E \uD800 \u2028 \'; DROP TABLE documents; --"\\'});
		await ask(replace({content: `\0${content}`, by: '\0\u001A'}));
		expect(await ask(list())).toEqual([{...rules, version: 1, content: `\0${content}`}]);
	});

	test('are announced to everybody on this journal, and to nobody on another one', async () => {
		const one = await openDocuments();
		const other = await openDocuments(one.database);
		const foreign = await openDocuments();
		await foreign.run({name: 'announce', args: ['documents']});
		await vi.waitFor(() => expect(foreign.hints).toEqual(['documents']));
		await one.run({name: 'announce', args: ['documents']});
		await vi.waitFor(() => expect([one.hints, other.hints]).toEqual([['documents'], ['documents']]));
		expect(foreign.hints).toHaveLength(1);
	});
});
