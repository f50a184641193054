import type { Command } from "commander";
import type { Surroundings } from "./backup-values.ts";

export function addDoctorCommand(_program: Command, _surroundings: Surroundings): void {}
