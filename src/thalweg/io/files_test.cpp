#include "thalweg/io/files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "thalweg/io/test_folder.h"

namespace thalweg::io {
namespace {
namespace fs = std::filesystem;

TEST(Files, TextComesBack) {
  const TestFolder folder;
  const std::string path = folder.file("a b \xE5\xB1\xB1.txt");
  const std::string text = std::string("line\n\0zero", 10) + std::string(300000, 'x');
  ASSERT_TRUE(write_text_file(path, text));
  const Result<std::string> read = read_text_file(path);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, text);
  EXPECT_EQ(folder.entries(), 1);
}

TEST(Files, TemporaryLiesBesideAndHasTheExtension) {
  const TestFolder folder;
  std::string seen;
  ASSERT_TRUE(write_atomically(folder.file("x.tif"), [&](const std::string& temporary) -> Status {
    seen = temporary;
    spill(temporary, "new");
    return {};
  }));
  EXPECT_EQ(fs::path(seen).parent_path(), fs::path(folder.path()));
  EXPECT_EQ(fs::path(seen).extension(), ".tif");
  EXPECT_TRUE(fs::path(seen).filename().string().starts_with(".thalweg-"));
  EXPECT_EQ(slurp(folder.file("x.tif")), "new");
}

TEST(Files, FailureKeepsTheOldFileAndLeavesNothing) {
  const TestFolder folder;
  const std::string path = folder.file("x.gpkg");
  spill(path, "old");
  const Status status = write_atomically(path, [&](const std::string& temporary) -> Status {
    spill(temporary, "half");
    spill(temporary + "-journal", "half");
    return machine_error("broke", path);
  });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "broke");
  EXPECT_EQ(slurp(path), "old");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(Files, WriterThatMadeNoFileIsAnError) {
  const TestFolder folder;
  const Status status = write_atomically(folder.file("x"), [](const std::string&) -> Status { return {}; });
  EXPECT_FALSE(status);
  EXPECT_EQ(folder.entries(), 0);
}

TEST(Files, WrongPathsAreInputErrors) {
  const TestFolder folder;
  spill(folder.file("plain"), "x");
  fs::create_directory(folder.file("sub"));
  const std::string wrong[] = {"",
                               folder.file("missing/x.txt"),
                               folder.file("plain/x.txt"),
                               folder.file("sub"),
                               folder.file("new/"),
                               folder.file(std::string(300, 'n'))};
  for (const std::string& path : wrong) {
    const Status status = write_text_file(path, "text");
    ASSERT_FALSE(status) << path;
    EXPECT_EQ(status.error().code, ErrorCode::input) << path;
    EXPECT_EQ(status.error().text().find('\n'), std::string::npos);
  }
  for (const std::string& path : {std::string(), folder.file("missing"), folder.file("plain/x"), folder.file("sub")}) {
    const Result<std::string> read = read_text_file(path);
    ASSERT_FALSE(read) << path;
    EXPECT_EQ(read.error().code, ErrorCode::input) << path;
  }
}

TEST(Files, FullDiskIsAMachineErrorAndDevicesStay) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  for (const std::size_t size : {std::size_t{1}, std::size_t{1} << 20}) {
    const Status status = write_text_file("/dev/full", std::string(size, 'x'));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::machine);
  }
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(Files, SystemErrorsAreSorted) {
  EXPECT_EQ(system_error("cannot write", "p", EACCES).code, ErrorCode::machine);
  EXPECT_EQ(system_error("cannot write", "p", EROFS).code, ErrorCode::machine);
  EXPECT_EQ(system_error("cannot write", "p", ENOSPC).code, ErrorCode::machine);
  EXPECT_EQ(system_error("cannot read", "p", ENOENT).code, ErrorCode::input);
  EXPECT_EQ(system_error("cannot read", "p", ENOENT).text(), "p: no such file or folder");
  EXPECT_EQ(system_error("cannot write", "p", ENOENT).text(), "p: cannot write: no such file or folder");
}

TEST(OutputFolder, TakesOverAFolder) {
  const TestFolder folder;
  const std::string path = folder.file("a/b/result");
  fs::create_directories(path);
  spill(path + "/world.json", "old");
  spill(path + "/height.tif", "kept");
  spill(path + "/.thalweg-99-3.tmp.tif", "stale");
  spill(path + "/.thalweg-99-4.tmp.gpkg-journal", "stale");
  spill(path + "/.thalweg-notes", "kept");
  const Result<OutputFolder> out = OutputFolder::open(path);
  ASSERT_TRUE(out) << out.error().text();
  EXPECT_FALSE(fs::exists(path + "/world.json"));
  EXPECT_FALSE(fs::exists(path + "/.thalweg-99-3.tmp.tif"));
  EXPECT_FALSE(fs::exists(path + "/.thalweg-99-4.tmp.gpkg-journal"));
  EXPECT_EQ(slurp(path + "/height.tif"), "kept");
  EXPECT_EQ(slurp(path + "/.thalweg-notes"), "kept");
  EXPECT_EQ(std::distance(fs::directory_iterator(path), {}), 2);
  ASSERT_TRUE(out->finish("{}\n"));
  EXPECT_EQ(slurp(out->file("world.json")), "{}\n");
}

TEST(OutputFolder, CreatesParentsAndRefusesFiles) {
  const TestFolder folder;
  ASSERT_TRUE(OutputFolder::open(folder.file("new/deep")));
  EXPECT_TRUE(fs::is_directory(folder.file("new/deep")));
  spill(folder.file("plain"), "x");
  for (const std::string& path : {std::string(), folder.file("plain"), folder.file("plain/sub")}) {
    const Result<OutputFolder> out = OutputFolder::open(path);
    ASSERT_FALSE(out) << path;
    EXPECT_EQ(out.error().code, ErrorCode::input) << out.error().text();
  }
  const Result<OutputFolder> proc = OutputFolder::open("/proc/thalweg");
  ASSERT_FALSE(proc);
}

}  // namespace
}  // namespace thalweg::io
