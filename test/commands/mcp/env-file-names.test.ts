import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runSluice, runSluiceJson} from '../../helpers/run-sluice.ts';
import {stateDirectory} from '../../helpers/sluice.ts';
import {garden} from '../../stories/garden.ts';

test('the list and the test of a server show the names of its env_file, never their values', async () => {
	const home = stateDirectory();
	const file = join(home, 'garden.env');
	writeFileSync(file, 'API_KEY=0123456789\nPLOT=north\n');
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: {garden: {...garden, env_file: file}}}));
	const [list, tested] = [await runSluice({home}, 'mcp', 'list'), await runSluice({home}, 'mcp', 'test', 'garden')];
	expect(list.stdout).toMatch(/^garden.*\n {2}env_file: API_KEY, PLOT\n/mu);
	expect(tested.stdout).toContain('gets     API_KEY of its env_file\n         PLOT of its env_file\n');
	expect(await runSluiceJson({home}, 'mcp', 'list')).toMatchObject([{file_variables: ['API_KEY', 'PLOT']}]);
	expect(`${list.stdout}${tested.stdout}`).not.toMatch(/0123456789|north/u);
});
