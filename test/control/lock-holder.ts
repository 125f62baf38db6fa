import {acquireLock} from '../../source/control/lock.ts';

// A process of its own that takes a lock, says how that went, and holds it until its input ends.
try {
	const lock = await acquireLock(process.argv[2] ?? '');
	process.stdout.write('held\n');
	process.stdin.on('end', () => void lock.release().then(() => process.exit(0)));
	process.stdin.resume();
} catch (error) {
	process.stdout.write(`${error instanceof Error && 'code' in error ? String(error.code) : 'failed'}\n`);
	process.exit(1);
}
