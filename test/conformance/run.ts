/*
`npm run conformance [scenario…]`: the client scenarios of the public conformance suite against the real connections, for both revisions of
the protocol, on loopback. Prints a table; exits with 1 when a required scenario fails.
*/
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {reasonLeftOut} from './left-out.ts';
import {revisions, runScenario, type Scenario, scenariosOf, type Verdict} from './suite.ts';

const wanted = process.argv.slice(2);
const output = mkdtempSync(join(tmpdir(), 'sluice-conformance-'));
const command = `${process.execPath} ${join(import.meta.dirname, 'adapter.ts')}`;
const scenarios = revisions
	.flatMap(scenariosOf)
	.filter(({name}) => wanted.length === 0 || wanted.some(part => name.includes(part)));
const isRun = ({name}: Scenario) => wanted.length > 0 || reasonLeftOut(name) === undefined;
const verdicts = new Map<Scenario, Verdict>();
const waiting = scenarios.filter(isRun);

/** Two at a time: each starts a server, the program and the suite. */
async function work(): Promise<void> {
	for (let scenario = waiting.shift(); scenario; scenario = waiting.shift()) {
		verdicts.set(scenario, await runScenario(scenario, {command, output}));
	}
}

await Promise.all([work(), work()]);
for (const scenario of scenarios) {
	const verdict = verdicts.get(scenario);
	const {revision, name, required} = scenario;
	const words = verdict
		? `${verdict.outcome} (${verdict.passed} checks)${required ? '' : ', not required'}`
		: `not run: ${reasonLeftOut(name)}`;
	console.log(`${revision}  ${name.padEnd(42)}  ${words}`);
	verdict?.failed.forEach(line => console.log(`            ${line}`));
}

const failed = [...verdicts].filter(([{required}, {outcome}]) => required && outcome === 'failed');
const passed = [...verdicts].filter(([, {outcome}]) => outcome === 'passed');
console.log(`\n${passed.length} of ${verdicts.size} scenarios passed; ${failed.length} required ones failed`);
rmSync(output, {recursive: true, force: true});
process.exitCode = failed.length > 0 ? 1 : 0;
