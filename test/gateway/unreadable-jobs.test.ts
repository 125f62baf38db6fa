import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

test('a file of jobs that cannot be read is said once, however often it is looked at', async () => {
	const home = temporaryDirectory();
	const clock = createFakeClock();
	mkdirSync(join(home, 'cron'));
	writeFileSync(join(home, 'cron', 'jobs.json'), '{"jobs": [');
	const {events} = await runGateway('', home, {clock});
	const lines = () => events.flatMap(event => (event.type === 'log' && event.area === 'cron' ? event.text : []));
	await expect.poll(lines).toHaveLength(1);
	for (let look = 0; look < 4; look++) {
		await clock.advance(30_000);
	}

	expect(lines()).toEqual([expect.stringContaining('jobs.json')]);
});
