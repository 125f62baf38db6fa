import {type RemoteMessage} from '../../source/journal/rows/remote-rows.ts';

/** A message in a chat that asks for an approval. */
export function sampleRemoteMessage(changes: Partial<RemoteMessage> = {}): RemoteMessage {
	return {
		id: 'message',
		profile: 'default',
		channel: 'telegram:a',
		state: 'open',
		platform: 'telegram',
		chat: '-100123',
		message: '7',
		nonceHash: 'hash',
		subject: {kind: 'approval', requests: [{id: 'request', argumentsHash: 'arguments'}]},
		step: {kind: 'first', offers: 'allow'},
		expiresAt: 1_700_000_900_000,
		sentAt: 1_700_000_000_000,
		parts: [{kind: 'own', text: 'Allow?'}],
		...changes,
	};
}
