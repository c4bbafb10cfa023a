/** `node create-until-killed.ts <folder>`: creates operations and prints the id of each when it is stored. */
import { openDatabase } from '../open-database.ts';
import { setScene } from './scene.ts';

const database = await openDatabase({ folder: process.argv[2] ?? '' });
const { create } = await setScene(database);
for (;;) process.stdout.write(`${(await create()).operation.id}\n`);
