import {expect, test} from 'vitest';
import {systemClock} from '../../../source/util/clock.ts';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {endConnection, openNode} from '../../helpers/journal-nodes.ts';
import {administer, hasPostgres} from '../../helpers/postgres-server.ts';

test.skipIf(!hasPostgres)(
	'a gateway knows how far the clock of the database is ahead once the journal is open, also while it is away',
	async () => {
		const place = await newPostgresPlace();
		const {url, schema} = place.database;
		const clock = {...systemClock, now: () => systemClock.now() - 3_600_000};
		const node = await openNode(place, 'a', 60_000, clock);
		const minutesAhead = () => Math.round(node.clockAhead() / 60_000);
		expect(minutesAhead()).toBe(60);
		await administer(url, endConnection(schema, 'a'));
		await expect.poll(node.isOpen).toBe(false);
		expect(minutesAhead()).toBe(60);
	},
);
