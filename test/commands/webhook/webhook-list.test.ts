import {expect, test} from 'vitest';
import {runSluice} from '../../helpers/run-sluice.ts';
import {stateDirectory} from '../../helpers/sluice.ts';

test('the reason of a route that is too long for its column stands whole below its row', async () => {
	const route = {secret: 'abc', prompt: 'x', deliver: 'nowhere'};
	const home = stateDirectory({platforms: {webhook: {enabled: true, extra: {routes: {bad: route}}}}});
	const {stdout} = await runSluice({home}, 'webhook', 'list');
	expect(stdout).toMatch(/^bad +failed .* more\n {2}"nowhere" is not a known delivery target\. Allowed: log, .*url$/mu);
});
