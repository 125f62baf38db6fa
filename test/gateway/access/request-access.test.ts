import {expect, test} from 'vitest';
import {statePaths} from '../../../source/config/read/state-paths.ts';
import {type Documents} from '../../../source/config/values/stored-document.ts';
import {createCallClaims} from '../../../source/gateway/access/request-access.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

/** What calls are judged by where the documents of a profile have these stamps. */
function knownDocuments(stamps: Readonly<Record<string, string>>, node: string | undefined) {
	const documents: Documents = {
		open: ({name, fallback}) => ({
			place: name,
			read: () => fallback,
			update: async () => undefined,
			stamp: () => stamps[name] ?? '0',
		}),
		onChange: () => () => undefined,
	};
	const paths = statePaths({root: '/none', profile: 'work'});
	const journal = {requests: {claim: async () => 'claimed'}} as never;
	return createCallClaims({documents, clock: createFakeClock(), paths}, {journal, node: () => node}).knownDocuments();
}

test('calls are judged by the versions of rules and hold that are known here, where others may change them', () => {
	expect(knownDocuments({'approval-rules': '7'}, 'web-1')).toEqual([
		{profile: 'work', name: 'approval-rules', version: 7},
		{profile: 'work', name: 'hold', version: 0},
	]);
	expect(knownDocuments({'approval-rules': '7'}, undefined)).toBeUndefined();
});

test('files belong to one gateway, whatever is in the database', () => {
	expect(knownDocuments({'approval-rules': '1700000000000.5 120 77', hold: 'absent'}, 'web-1')).toEqual([]);
});
