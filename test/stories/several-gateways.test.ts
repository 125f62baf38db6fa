import {expect, onTestFinished, test} from 'vitest';
import {startCluster} from '../cluster/cluster.ts';
import {postgresPrograms} from '../helpers/postgres-server.ts';

const leaseSeconds = 2;
/** The clock of one machine is ten minutes ahead. */
const ahead = {
	NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent('const {now} = Date; Date.now = () => now() + 600_000')}`,
};

test.skipIf(postgresPrograms === undefined)(
	'three gateways lose and repeat nothing while one is killed, one is frozen past its lease and their database is restarted',
	{timeout: 300_000},
	async () => {
		const cluster = await startCluster({
			gateways: 3,
			journal: {lease: leaseSeconds},
			envOf: index => (index === 2 ? ahead : undefined),
		});
		onTestFinished(cluster.close);
		const {gateways, database, sender, effects, untilReady} = cluster;
		const [first, second] = gateways;
		await untilReady();
		await sender.post(2, 30);
		await first?.kill();
		await sender.post(1, 30);
		first?.start();
		second?.freeze();
		await sender.post(leaseSeconds + 1, 30);
		second?.thaw();
		await database.stop('at once');
		await sender.post(1, 30);
		await database.start();
		await untilReady();
		await sender.post(2, 30);
		await sender.settled();
		expect(await cluster.verdict()).toEqual({lost: [], twice: [], left: [], failedByJournal: []});
		expect(sender.counts.posted).toBeGreaterThan(200);
		expect(sender.answered.size).toBe(sender.counts.posted);
		expect(effects.count()).toBeGreaterThan(100);
		expect(await Promise.all(gateways.map(({port}) => sender.repeat(0, port)))).toEqual(
			gateways.map(() => 'duplicate'),
		);
	},
);
