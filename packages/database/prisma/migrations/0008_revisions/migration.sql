-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "revision" INTEGER NOT NULL DEFAULT 1;
