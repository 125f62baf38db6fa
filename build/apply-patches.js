import {spawnSync} from 'node:child_process';

// Patched packages concern nobody who installs: only a failure is printed.
const {status, stdout, stderr} = spawnSync('patch-package', ['--error-on-fail'], {encoding: 'utf8'});
if (status !== 0) {
	process.stderr.write(`${stdout ?? ''}${stderr ?? 'patch-package cannot be started'}\n`);
	process.exitCode = 1;
}
