import {z} from 'zod';
import {
	maxTakenMessages,
	type RemoteChannelClaim,
	type RemoteMessage,
	remoteMessageRow,
	remoteRecord,
} from '../rows/remote-rows.ts';
import {readRows, type TableAccess} from './query.ts';

/**
Messages in chats that carry requests to persons (docs/remote.md), and the channels with the gateway that holds each: the lease of a channel is that of
its gateway. Times are by the clock of the journal. Write inside a transaction.
*/
export type RemoteMessageTable = {
	readonly claimChannel: (channel: string, now: number) => Promise<RemoteChannelClaim>;
	readonly releaseChannel: (channel: string) => Promise<void>;
	readonly take: (channel: string) => Promise<readonly RemoteMessage[]>;
	readonly write: (message: RemoteMessage, now: number) => Promise<boolean>;
};

const nameRow = z.object({name: z.string().nullable()});

/** The statements of the tables. */
export function createRemoteMessageTable({query, owner}: TableAccess): RemoteMessageTable {
	return {
		async claimChannel(channel, now) {
			const claimed = await query(
				`INSERT INTO remote_channels (channel, owner, claimed_at) VALUES ($1, $2, $3)
				ON CONFLICT (channel) DO UPDATE SET owner = excluded.owner, claimed_at = excluded.claimed_at
				WHERE remote_channels.owner IS NOT DISTINCT FROM excluded.owner OR NOT EXISTS (
					SELECT 1 FROM nodes WHERE nodes.incarnation = remote_channels.owner AND nodes.state = 'alive'
				) RETURNING 1`,
				[channel, owner.instanceId, now],
			);
			if (claimed.length > 0) {
				return {holder: 'this-gateway'};
			}

			const text = `SELECT (SELECT name FROM nodes WHERE nodes.incarnation = remote_channels.owner) AS name
				FROM remote_channels WHERE channel = $1`;
			const [holder] = await readRows(nameRow, query(text, [channel]));
			return {holder: 'another', node: holder?.name ?? undefined};
		},
		async releaseChannel(channel) {
			await query('DELETE FROM remote_channels WHERE channel = $1 AND owner IS NOT DISTINCT FROM $2', [
				channel,
				owner.instanceId,
			]);
		},
		take: channel =>
			readRows(
				remoteMessageRow,
				query(
					`UPDATE remote_messages SET owner = $2 WHERE id IN (
						SELECT id FROM remote_messages WHERE channel = $1 AND state <> 'ended' ORDER BY id LIMIT ${maxTakenMessages}
					) AND EXISTS (
						SELECT 1 FROM remote_channels WHERE channel = $1 AND owner IS NOT DISTINCT FROM $2
					) RETURNING id, profile, channel, state, record`,
					[channel, owner.instanceId],
				),
			).then(rows => rows.sort((one, other) => (one.id < other.id ? -1 : 1))),
		async write(message, now) {
			const {id, profile, channel, state} = message;
			const written = await query(
				`INSERT INTO remote_messages (id, profile, channel, state, changed_at, record, owner)
				SELECT $1, $2, $3, $4, $5::bigint, $6, $7 FROM remote_channels WHERE channel = $3 AND owner IS NOT DISTINCT FROM $7
				ON CONFLICT (id) DO UPDATE SET state = excluded.state, changed_at = excluded.changed_at, record = excluded.record
				WHERE remote_messages.owner IS NOT DISTINCT FROM excluded.owner RETURNING 1`,
				[id, profile, channel, state, now, remoteRecord(message), owner.instanceId],
			);
			return written.length > 0;
		},
	};
}
